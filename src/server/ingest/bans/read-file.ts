import { directFiles, type FileAccess, readWholeFile } from 'game-files';
import type { Clock } from '../../../process/clock.ts';
import type { Database } from '../../store/engine/database.ts';
import { type BanFile, type BanFormat, readBans } from 'dayz-files';
import { fileErrorCode, fileProblem, SourceError } from '../../files/errors.ts';

/** A ban file of the config. */
export interface BanSource {
  file: string;
  format: BanFormat;
  /** The server on whose host the file is; absent: this machine. */
  filesOf?: string | undefined;
}

/** A ban file of the config, in one of its lists. */
export interface ListedBanFile extends BanSource {
  db: Database;
  clock: Clock;
  listId: string;
  /** Access to the file. */
  files: FileAccess;
  /** The file's name in `ban.source`. */
  source: string;
}

const maxFileBytes = 64 * 1024 * 1024;

/** @throws SourceError when the file cannot be read or is of another format */
export async function readBanFile(
  file: string,
  format: BanFormat,
  files: FileAccess = directFiles,
): Promise<BanFile> {
  return parse(file, format, await readBytes(file, files));
}

/** Whether the file does not exist but its folder does, as before the first ban. */
export async function isNotCreatedYet(file: string, files: FileAccess): Promise<boolean> {
  const isThere = (request: Promise<unknown>) =>
    request.then(
      () => true,
      (error: unknown) => fileErrorCode(error) !== 'ENOENT',
    );
  const nothing = { matching: /(?!)/, stat: [] };
  return !(await isThere(files.stat(file))) && (await isThere(files.list(files.path.dirname(file), nothing)));
}

/** @throws SourceError */
async function readBytes(file: string, files: FileAccess): Promise<Buffer> {
  try {
    return (await readWholeFile(files, file, maxFileBytes)).bytes;
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
}

/** @throws SourceError when the bytes are not of that format */
function parse(file: string, format: BanFormat, bytes: Buffer): BanFile {
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
