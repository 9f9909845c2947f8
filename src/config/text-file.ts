import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from './error.ts';

/**
 * Reads a text file that people edit by hand, without its byte order mark.
 * @throws ConfigError when the file is not UTF-8; errors of the file system unchanged
 */
export function readTextFile(file: string): string {
  const bytes = readFileSync(file);
  // Notepad's "UTF-16 LE" and "UTF-16 BE", with or without the mark: in plain text every other byte is zero.
  const isUtf16 =
    ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2)) || bytes.subarray(0, 256).includes(0);
  if (isUtf16) throw notUtf8(file, 'is UTF-16');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(file, 'is not UTF-8');
  }
}

const notUtf8 = (file: string, problem: string): ConfigError =>
  new ConfigError(
    `${file} ${problem}, but UTF-8 was expected: save it again as UTF-8 (Notepad: "Save as", Encoding "UTF-8").`,
  );

/** The text of such a file; null: there is none. @throws ConfigError, which says what to do */
export function readTextIfThere(file: string): string | null {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const problem = error as NodeJS.ErrnoException;
    if (problem.code === 'ENOENT') return null;
    throw new ConfigError(readProblem(file, problem));
  }
}

/** Says that a file has the wrong ending: Windows hides the `.txt` that Notepad adds. */
export const misnamed = (file: string, name: string): string => `${file} is not read: rename it to ${name}`;

/** Why a file or folder cannot be read, and in a second line what to do. */
export function readProblem(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EISDIR') {
    return `cannot read ${path}: it is a folder, and a file was expected.\nName the file. If Docker made the folder, since the file to be mounted was missing: delete it, create the file, and start the container anew.`;
  }
  if (code !== 'EACCES' && code !== 'EPERM') return `cannot read ${path}: ${message}`;
  return `cannot read ${path}: this user may not.\nRun the command as the user that runs Outpost, or let this user read it.`;
}

/** The variables of a `.env` file, none when it is missing. Warnings quote no value: it may be a secret. */
export function readDotEnv(file: string): { variables: Record<string, string>; warnings: string[] } {
  const text = readTextIfThere(file);
  if (text !== null) return { variables: parseDotEnv(text), warnings: [] };
  const warnings = existsSync(`${file}.txt`) ? [misnamed(`${file}.txt`, file)] : [];
  return { variables: {}, warnings };
}

/** As Node.js, but a line without "=", as a heading without "#", does not become the beginning of the next name. */
export const parseDotEnv = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(text) as Record<string, string>).map(([name, value]) => {
      const lastLine = name.split('\n').at(-1)?.trim() ?? '';
      return [lastLine.replace(/^export\s+/, ''), value];
    }),
  );
