import { chmodSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from './error.ts';
import { storageProblem } from './storage-errors.ts';

/**
 * Creates the data folder, readable by its owner only, if it is missing. To be called before anything is created in it.
 * @throws StoreError that says why it cannot be used
 */
export function ensureDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageProblem(folder, error) ?? error;
  }
  refuseRoot(folder);
}

/** Whether there is no such file. @throws StoreError when this user may not know */
export function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // Its folder is closed.
    throw storageProblem(dirname(file), error) ?? error;
  }
}

/**
 * What root creates in another user's data folder, that user's service could not use. Where the store is root's, nobody
 * else can use the folder anyway.
 */
function refuseRoot(folder: string): void {
  const uid = (statOf(join(folder, 'outpost.sqlite')) ?? statOf(folder))?.uid ?? 0;
  if (uid === 0 || process.geteuid?.() !== 0) return;
  throw new StoreError(
    `the data folder ${folder} belongs to user ${uid}, who could not use what root creates there. Nothing was changed. ` +
      `Run the same command as that user: sudo -u '#${uid}' outpost …`,
  );
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
const isOpenToOthers = (path: string): boolean => ((statOf(path)?.mode ?? 0) & 0o007) !== 0;

/** Databases, the files that SQLite puts beside them, locks, and backups. */
const ownNames = /^outpost\.(?:sqlite|lock)|^backups$|^before-restore-/;

/**
 * Removes other users' rights to Outpost's files, and to the folder if it holds nothing else: the store contains what
 * the config keeps private. A copy may have left them open to everyone. Windows has no such modes; a new folder there inherits
 * the rights of its parent.
 * @returns the paths that other users can still read
 */
export function closeToOthers(folder: string): string[] {
  if (process.platform === 'win32') return [];
  const names = readdirSync(folder);
  const own = names.filter((name) => ownNames.test(name)).map((name) => join(folder, name));
  const paths = own.length === names.length ? [folder, ...own] : own;
  return paths.filter(isOpenToOthers).filter((path) => {
    try {
      chmodSync(path, statOf(path)?.isDirectory() ? 0o700 : 0o600);
    } catch {
      // The file belongs to another user, or its file system has no modes.
    }
    return isOpenToOthers(path);
  });
}
