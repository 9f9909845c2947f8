import { basename, resolve } from 'node:path';
import { placedFile } from '../projects/placed-file.ts';

/** `config`: the config names the file, which is followed. `import`: somebody imports it once. */
export type BanOrigin = 'config' | 'import';

export const configPrefix = 'config:';

export const cliSource = 'cli';

/**
 * The source of a file's bans. An imported file is identified by its name, wherever it is.
 * @param filesOf the server at whose place the file lies; left out: it is on this machine
 */
export function banSource(origin: BanOrigin, format: string, file: string, filesOf?: string): string {
  if (origin === 'import') return `${origin}:${format}:${basename(file)}`;
  return `${origin}:${format}:${filesOf === undefined ? resolve(file) : placedFile(file, filesOf)}`;
}
