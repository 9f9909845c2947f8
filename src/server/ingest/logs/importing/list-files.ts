import { basename, dirname, join, resolve } from 'node:path';
import { directFiles } from 'game-files';
import { fileProblem } from '../../../files/errors.ts';
import { fileNamesOf, formatOf, type LogFormat } from 'dayz-files';
import { type FolderFile, folderFile } from '../reading/folder-listing.ts';

/** A file to read. */
interface ListedFile extends FolderFile {
  /** Whether it was not requested, but is in the folder of a requested log. */
  beside: boolean;
}

/** An archive that does not compress would be read as a log. */
const packed = /\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz|zst)$/i;

/** A file that was not read, and why. */
export interface FileFailure {
  file: string;
  message: string;
}

interface Listing {
  /** Whether to include the identity logs in the folders of the others. */
  beside: boolean;
  formats: readonly [LogFormat, ...LogFormat[]];
  /** Receives files that do not exist. */
  failures: FileFailure[];
}

/**
 * The requested files with their sizes; identity logs come last. A file whose name no format matches is read as the
 * first format.
 */
export async function listFiles(
  files: readonly string[],
  { beside, formats, failures }: Listing,
): Promise<ListedFile[]> {
  const given = new Map<string, ListedFile>();
  for (const file of files) {
    try {
      const stat = await directFiles.stat(file);
      if (packed.test(file)) {
        failures.push({ file, message: `${file}: is packed; unpack it, and import what was in it` });
        continue;
      }
      const format = formatOf(formats, basename(file)) ?? formats[0];
      given.set(resolve(file), { ...folderFile(file, format, stat), beside: false });
    } catch (error) {
      failures.push({ file, message: `${file}: ${fileProblem(error)}` });
    }
  }
  const named = [...given.values()];
  const runs = named.filter(({ format }) => format.holds === 'runs');
  const folders = new Set(beside ? runs.map(({ path }) => dirname(path)) : []);
  const identities = formats.filter(({ holds }) => holds === 'identities');
  const found: ListedFile[] = [];
  for (const folder of folders) {
    const entries = await directFiles.list(folder, { matching: fileNamesOf(identities), stat: 'all' });
    for (const { name, stat } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, name);
      const format = formatOf(identities, name);
      if (stat === null || format === null || given.has(resolve(path))) continue;
      found.push({ ...folderFile(path, format, stat), beside: true });
    }
  }
  return [...runs, ...named.filter(({ format }) => format.holds === 'identities'), ...found];
}
