import type { OpenSource } from '../files/file-source.ts';
import { isIdentityLog, type ListedFile } from './log-files.ts';
import { firstHeader } from './run-outline.ts';

export interface OrderedFile extends ListedFile {
  /** Of its first run; null: it has none, or is no admin log. */
  header: string | null;
}

/**
 * Admin logs in the order in which their first runs began, of copies of one the longest first; then what has no header,
 * then the logs of identities. The outcome does not depend on it: what is stopped half-way has the oldest in, and
 * copies are passed over.
 */
export async function inOrderOfHeaders(
  files: readonly ListedFile[],
  open: OpenSource,
): Promise<OrderedFile[]> {
  const keyed: { key: string; ordered: OrderedFile }[] = [];
  for (const listed of files) {
    const header = isIdentityLog(listed.file) ? null : await headerIn(listed.file, open);
    keyed.push({ key: header ?? rankOf(listed), ordered: { ...listed, header } });
  }
  return keyed
    .toSorted((a, b) => (a.key === b.key ? b.ordered.bytes - a.ordered.bytes : a.key < b.key ? -1 : 1))
    .map(({ ordered }) => ordered);
}

/** Behind every header, which begins with a figure. */
function rankOf({ file, beside }: ListedFile): string {
  if (!isIdentityLog(file)) return 'x';
  return beside ? 'z' : 'y';
}

async function headerIn(file: string, open: OpenSource): Promise<string | null> {
  try {
    const source = await open(file);
    try {
      return await firstHeader(source);
    } finally {
      source.close();
    }
  } catch {
    // Reading it will say what is wrong with it.
    return null;
  }
}
