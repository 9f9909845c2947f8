import { openSource } from './file-source.ts';
import { isIdentityLog, type ListedFile } from './log-files.ts';
import { firstHeader } from './run-outline.ts';

/**
 * Admin logs in the order in which their first runs began, of copies of one the longest first; then what has no header,
 * then the logs of identities. The outcome does not depend on it: what is stopped half-way has the oldest in, and
 * copies are passed over.
 */
export async function inOrderOfHeaders(files: readonly ListedFile[]): Promise<ListedFile[]> {
  const keyed: { key: string; listed: ListedFile }[] = [];
  for (const listed of files) keyed.push({ key: await keyOf(listed), listed });
  return keyed
    .toSorted((a, b) => (a.key === b.key ? b.listed.bytes - a.listed.bytes : a.key < b.key ? -1 : 1))
    .map(({ listed }) => listed);
}

async function keyOf({ file, beside }: ListedFile): Promise<string> {
  if (isIdentityLog(file)) return beside ? 'z' : 'y';
  try {
    const source = openSource(file);
    try {
      return (await firstHeader(source)) ?? 'x';
    } finally {
      source.close();
    }
  } catch {
    // Reading it will say what is wrong with it.
    return 'x';
  }
}
