import { basename, dirname, join, resolve } from 'node:path';
import { fileProblem } from '../errors.ts';
import { directPort } from '../files/direct-files.ts';
import { fileNamesOf, formatOf, type LogFormat, type LogFormats } from './log-format.ts';

/** @throws when no log of the game can be read */
export function requireFormats(formats: LogFormats, game: string): readonly [LogFormat, ...LogFormat[]] {
  const [first, ...others] = formats(game);
  if (first === undefined) throw new Error(noFormats(game));
  return [first, ...others];
}

export const noFormats = (game: string): string =>
  `Outpost cannot read the logs of the game "${game}": it shows the live status of its servers only`;

/** A file that is to be read. */
export interface ListedFile {
  file: string;
  format: LogFormat;
  bytes: number;
  /** It was not asked for but lies beside a log that was. */
  beside: boolean;
}

interface Listing {
  /** Whether to list the logs of identities that lie beside the others. */
  beside: boolean;
  formats: readonly [LogFormat, ...LogFormat[]];
  /** Takes what is missing. */
  failures: { file: string; message: string }[];
}

/**
 * Files that a user names, with their sizes; logs of identities come last. A file that none of the formats takes by its
 * name is read as the first of them.
 */
export async function listFiles(
  files: readonly string[],
  { beside, formats, failures }: Listing,
): Promise<ListedFile[]> {
  const given = new Map<string, ListedFile>();
  for (const file of files) {
    try {
      const { size: bytes } = await directPort.stat(file);
      const format = formatOf(formats, basename(file)) ?? formats[0];
      given.set(resolve(file), { file, format, bytes, beside: false });
    } catch (error) {
      failures.push({ file, message: `${file}: ${fileProblem(error)}` });
    }
  }
  const named = [...given.values()];
  const runs = named.filter(({ format }) => format.holds === 'runs');
  const folders = new Set(beside ? runs.map(({ file }) => dirname(file)) : []);
  const identities = formats.filter(({ holds }) => holds === 'identities');
  const found: ListedFile[] = [];
  for (const folder of folders) {
    const entries = await directPort.list(folder, { matching: fileNamesOf(identities), stat: 'all' });
    for (const { name, stat } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = join(folder, name);
      const format = formatOf(identities, name);
      if (stat === null || format === null || given.has(resolve(file))) continue;
      found.push({ file, format, bytes: stat.size, beside: true });
    }
  }
  return [...runs, ...named.filter(({ format }) => format.holds === 'identities'), ...found];
}
