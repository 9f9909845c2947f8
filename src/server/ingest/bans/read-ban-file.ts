import { directFiles, type FileAccess, readWholeFile } from 'game-files';
import { type BanFile, type BanFormat, readBans } from 'dayz-files';
import { fileProblem, findsNothing, SourceError } from '../../files/errors.ts';

const maxFileBytes = 64 * 1024 * 1024;

/** @throws SourceError when the file cannot be read or is of another format */
export async function readBanFile(
  file: string,
  format: BanFormat,
  files: FileAccess = directFiles,
): Promise<BanFile> {
  let bytes: Buffer;
  try {
    ({ bytes } = await readWholeFile(files, file, maxFileBytes));
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  if (bytes.includes(0)) {
    throw new SourceError(
      file,
      "is not a text file in UTF-8, which was expected: it contains zero bytes, as UTF-16, PowerShell's >> and a crash write them; " +
        'save it as UTF-8',
    );
  }
  try {
    return readBans(format, bytes);
  } catch (error) {
    throw new SourceError(file, (error as Error).message, { cause: error });
  }
}

/** Whether the file does not exist but its folder does, as before the first ban. */
export async function isNotCreatedYet(file: string, files: FileAccess): Promise<boolean> {
  const folder = files.path.dirname(file);
  const noEntries = { matching: /(?!)/, stat: [] };
  return (await findsNothing(files.stat(file))) && !(await findsNothing(files.list(folder, noEntries)));
}
