import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BanFile, type BanFormat, readBans } from './ban-formats.ts';
import { fileProblem, SourceError } from './errors.ts';

const maxFileBytes = 64 * 1024 * 1024;

/** @throws SourceError when the file cannot be read or is of another format */
export async function readBanFile(file: string, format: BanFormat): Promise<BanFile> {
  return parseBans(file, format, await readBanBytes(file));
}

/** Whether there is no such file but the folder for it, as before the first ban. */
export async function isNotThereYet(file: string): Promise<boolean> {
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
  return !(await isThere(file)) && (await isThere(dirname(file)));
}

/** @throws SourceError */
export async function readBanBytes(file: string): Promise<Buffer> {
  try {
    if ((await stat(file)).size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
    return await readFile(file);
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
}

/** @throws SourceError when the bytes are not of that format */
export function parseBans(file: string, format: BanFormat, bytes: Buffer): BanFile {
  if (bytes.includes(0)) throw new SourceError(file, 'is not a text file');
  try {
    return readBans(format, bytes);
  } catch (error) {
    throw new SourceError(file, (error as Error).message, { cause: error });
  }
}
