import { directFiles, type FileAccess } from 'game-files';
import { type BanFile, type BanFormat, readBans } from 'dayz-files';
import { findsNothing } from '../../files/errors.ts';
import { readSource } from '../read-source.ts';

const maxFileBytes = 64 * 1024 * 1024;

/** @throws SourceError when the file cannot be read or is of another format */
export async function readBanFile(
  file: string,
  format: BanFormat,
  files: FileAccess = directFiles,
): Promise<BanFile> {
  return await readSource(files, file, maxFileBytes, (bytes) => {
    if (!bytes.includes(0)) return readBans(format, bytes);
    throw new Error(
      "is not a text file in UTF-8, which was expected: it contains zero bytes, as UTF-16, PowerShell's >> and a crash write them; " +
        'save it as UTF-8',
    );
  });
}

/** Whether the file does not exist but its folder does, as before the first ban. */
export async function isNotCreatedYet(file: string, files: FileAccess): Promise<boolean> {
  const folder = files.path.dirname(file);
  const noEntries = { matching: /(?!)/, stat: [] };
  return (await findsNothing(files.stat(file))) && !(await findsNothing(files.list(folder, noEntries)));
}
