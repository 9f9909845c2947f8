import { readFileSync } from 'node:fs';

/**
 * Reads a text file that people edit by hand, without its byte order mark.
 * @throws TextFileError when the file is not UTF-8; errors of the file system unchanged
 */
export function readTextFile(file: string): string {
  const bytes = readFileSync(file);
  // Notepad's "UTF-16 LE" and "UTF-16 BE", with or without the mark: in plain text every other byte is zero.
  const isUtf16 =
    ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2)) || bytes.subarray(0, 256).includes(0);
  if (isUtf16) throw new TextFileError(file, 'is UTF-16');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TextFileError(file, 'is not UTF-8');
  }
}

export class TextFileError extends Error {
  override readonly name = 'TextFileError';

  constructor(file: string, problem: string) {
    super(
      `${file} ${problem}, but UTF-8 was expected: save it again as UTF-8 (Notepad: "Save as", Encoding "UTF-8").`,
    );
  }
}

/** Why a file or folder cannot be read, and in a second line what to do. */
export function readProblem(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EISDIR') {
    return `cannot read ${path}: it is a folder, and a file was expected.\nName the file. If Docker made the folder, since the file to be mounted was missing: delete it, create the file, and start the container anew.`;
  }
  if (code === 'ENOTDIR') return `cannot read ${path}: it is a file, and a folder was expected.`;
  if (code === 'ENOENT') {
    return `cannot read ${path}: it is a link, and what it leads to is not there.\nMount or restore that, or delete the link.`;
  }
  if (code !== 'EACCES' && code !== 'EPERM') return `cannot read ${path}: ${message}`;
  return `cannot read ${path}: this user may not.\nRun the command as the user that runs Outpost, or let this user read it.`;
}
