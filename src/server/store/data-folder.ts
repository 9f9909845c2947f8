import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storageProblem } from './storage-errors.ts';

/** Creates the data folder for its owner alone if it is missing. @throws StoreError that says why it cannot be used */
export function ensureDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageProblem(folder, error) ?? error;
  }
}

/** What Outpost keeps in its data folder: databases, with the files that SQLite puts beside them, and its lock. */
const isOwn = (name: string): boolean => /^(?:outpost|keyv)\.(?:sqlite|lock)/.test(name);

/**
 * Takes Outpost's files, and a folder that holds nothing else, away from other users: the store holds what the config
 * keeps private. An earlier version, or a copy, may have left them open to everyone.
 * @returns the paths that other users can still read; no file is named twice
 */
export function closeToOthers(folder: string): string[] {
  // Windows has no such modes; a new folder there inherits the rights of the one around it.
  if (process.platform === 'win32') return [];
  const names = readdirSync(folder);
  const own = names.filter(isOwn).map((name) => join(folder, name));
  const paths = own.length === names.length ? [folder, ...own] : own;
  return paths.filter((path) => {
    const isOpen = (): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0;
    if (!isOpen()) return false;
    try {
      chmodSync(path, path === folder ? 0o700 : 0o600);
    } catch {
      // Another user's file, or a file system without modes.
    }
    return isOpen();
  });
}
