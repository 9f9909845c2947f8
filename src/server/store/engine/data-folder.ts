import { chmodSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { storageProblem } from './storage-errors.ts';

/**
 * Creates the data folder, readable by its owner only, if it is missing. @throws StoreError that says why it cannot
 * be used
 */
export function ensureDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageProblem(folder, error) ?? error;
  }
}

/** Outpost's own files in the data folder: databases, the files that SQLite puts beside them, locks, and backups. */
const isOwn = (name: string): boolean =>
  /^(?:outpost|keyv)\.(?:sqlite|lock)|^backups$|^before-restore-|^forgotten\.key$/.test(name);

/** The folder, if it holds nothing else, and Outpost's files in it. */
function ownPaths(folder: string): string[] {
  const names = readdirSync(folder);
  const own = names.filter(isOwn).map((name) => join(folder, name));
  return own.length === names.length ? [folder, ...own] : own;
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
const isOpenToOthers = (path: string): boolean => ((statOf(path)?.mode ?? 0) & 0o007) !== 0;

/**
 * The paths of `closeToOthers` that other users can read. Windows has no such modes; a new folder there inherits the
 * rights of its parent.
 */
export function openToOthers(folder: string): string[] {
  return process.platform === 'win32' ? [] : ownPaths(folder).filter(isOpenToOthers);
}

/**
 * Removes other users' rights to Outpost's files, and to the folder if it holds nothing else: the store contains what
 * the config keeps private. An earlier version, or a copy, may have left them open to everyone.
 * @returns the paths that other users can still read
 */
export function closeToOthers(folder: string): string[] {
  return openToOthers(folder).filter((path) => {
    try {
      chmodSync(path, statOf(path)?.isDirectory() ? 0o700 : 0o600);
    } catch {
      // The file belongs to another user, or its file system has no modes.
    }
    return isOpenToOthers(path);
  });
}
