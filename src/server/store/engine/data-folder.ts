import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs';
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

/**
 * Outpost's own files in the data folder: databases, the files that SQLite puts beside them, locks, and backups.
 */
const isOwn = (name: string): boolean => /^outpost\.(?:sqlite|lock)|^backups$|^before-restore-/.test(name);

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
 * the config keeps private. A copy may have left them open to everyone.
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

/** A file or folder of Outpost and the user it belongs to. */
interface OwnedPath {
  path: string;
  uid: number;
}

/**
 * What Outpost's user cannot read and write in the data folder; asked by root, what belongs to another user than the folder
 * does. None on Windows, which has no such users.
 */
export function foreignPaths(folder: string): OwnedPath[] {
  const uid = process.geteuid?.();
  const owner = statOf(folder)?.uid;
  if (uid === undefined || owner === undefined || (uid === 0 && owner === 0)) return [];
  const isForeign = (path: string, stats: Stats): boolean =>
    uid === 0 ? stats.uid !== owner : !canUse(path, stats);
  const below = (path: string): OwnedPath[] => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (isForeign(path, stats)) return [{ path, uid: stats.uid }];
    return stats.isDirectory() ? readdirSync(path).flatMap((name) => below(join(path, name))) : [];
  };
  return readdirSync(folder)
    .filter(isOwn)
    .flatMap((name) => below(join(folder, name)));
}

function canUse(path: string, stats: Stats): boolean {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    accessSync(path, stats.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return true;
  } catch (error) {
    // It was deleted meanwhile, as SQLite's files are.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
