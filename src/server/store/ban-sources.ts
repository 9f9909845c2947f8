import { basename, resolve } from 'node:path';

/** Whether the config names a file, to be read again and again, or somebody imports it. */
export type BanOrigin = 'config' | 'import';

/** How the sources of the config's files begin. */
export const configPrefix = 'config:';

/** Where bans of the command line say they come from. */
export const cliSource = 'cli';

/** Where a file's bans say they come from. A file that was imported is known by its name, wherever it lies. */
export function banSource(origin: BanOrigin, format: string, file: string): string {
  return `${origin}:${format}:${origin === 'config' ? resolve(file) : basename(file)}`;
}
