import { type FileAccess, readWholeFile } from 'game-files';
import { fileProblem, SourceError } from '../files/errors.ts';

/**
 * Reads a whole file.
 * @param parse reads what is in it, and throws what is wrong with that
 * @throws SourceError that names the file and says why it cannot be read, or what is wrong with it
 */
export async function readSource<Content>(
  files: FileAccess,
  file: string,
  maxBytes: number,
  parse: (bytes: Buffer) => Content | Promise<Content>,
): Promise<Content> {
  let bytes: Buffer;
  try {
    ({ bytes } = await readWholeFile(files, file, maxBytes));
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  try {
    return await parse(bytes);
  } catch (error) {
    throw new SourceError(file, (error as Error).message, { cause: error });
  }
}
