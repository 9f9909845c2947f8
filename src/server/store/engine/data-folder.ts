import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
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
  /^(?:outpost|keyv)\.(?:sqlite|lock)|^backups$|^before-restore-/.test(name);

/**
 * Removes other users' rights to Outpost's files, and to the folder if it holds nothing else: the store contains what
 * the config keeps private. An earlier version, or a copy, may have left them open to everyone.
 * @returns the paths that other users can still read
 */
export function closeToOthers(folder: string): string[] {
  // Windows has no such modes; a new folder there inherits the rights of its parent.
  if (process.platform === 'win32') return [];
  const names = readdirSync(folder);
  const own = names.filter(isOwn).map((name) => join(folder, name));
  const paths = own.length === names.length ? [folder, ...own] : own;
  return paths.filter((path) => {
    const stats = () => statSync(path, { throwIfNoEntry: false });
    const isOpen = (): boolean => ((stats()?.mode ?? 0) & 0o007) !== 0;
    if (!isOpen()) return false;
    try {
      chmodSync(path, stats()?.isDirectory() ? 0o700 : 0o600);
    } catch {
      // The file belongs to another user, or its file system has no modes.
    }
    return isOpen();
  });
}
