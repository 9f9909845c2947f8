import { accessSync, constants, statfsSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { nearestExisting } from './disk-space.ts';
import { StoreError } from './error.ts';

const otherFolder = 'name another folder in OUTPOST_DATA';

/**
 * Explains an error of the file system or of SQLite to the owner of a data folder: what it means and what to do, in
 * one line. Null for any other error.
 * @param elsewhere how the path could be another one
 */
export function storageProblem(path: string, error: unknown, elsewhere = otherFolder): StoreError | null {
  const { code, message } = error as NodeJS.ErrnoException;
  const explanation = explain(path, String(code), message, elsewhere);
  return explanation === null ? null : new StoreError(explanation, { cause: error });
}

/** Whether the file itself is damaged, so that trying again cannot help. */
export function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return code.startsWith('SQLITE_CORRUPT') || ['SQLITE_NOTADB', 'XX001', 'XX002'].includes(code);
}

export function damaged(path: string, detail: string): string {
  return (
    `the database ${path} is damaged (${detail}). It was left as it is. Stop every Outpost that uses it and restore ` +
    'the latest backup ("outpost restore FILE"; the folder "backups" has those that are made at fixed times). Without one, move ' +
    'the folder away and start again: logs and ban files named in the config are read again; applications and bans made ' +
    'by hand are lost.'
  );
}

function explain(path: string, code: string, message: string, elsewhere: string): string | null {
  if (isDamage({ code })) return damaged(path, message);
  const found = nearest(path);
  if (path.endsWith('.sqlite') && found.path === path && found.stats?.isDirectory() === true) {
    return `cannot use ${path}: it is a folder, and the file of the database was expected. Move it away, or ${elsewhere}.`;
  }
  const isInputOutput = code.startsWith('SQLITE_IOERR') || code === 'EIO';
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code) || (isInputOutput && isFull(path))) {
    return `cannot write ${path}: the disk is full. Free some space on it, then try again.`;
  }
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(code);
  const isUnwritable = isRefused || /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code);
  // Creating several folders at once on a read-only file system fails with ENOENT in Node.
  if ((isUnwritable || code === 'ENOENT') && isReadOnly(path)) {
    return `cannot write ${path}: its file system is read-only. Mount it writable, or ${elsewhere}.`;
  }
  if (isUnwritable) {
    return `cannot use ${path}: ${ownership(path)}. ${permissionRemedy(path, elsewhere)}`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `cannot use ${path}: expected a folder, but a file is in the way. Move that file, or ${elsewhere}.`;
  }
  if (code === 'ENOENT') {
    return `cannot create ${path}: there is no such drive or folder. Create it, or ${elsewhere}.`;
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return `${path} is in use: another process has been writing it for too long. Try again once that has ended.`;
  }
  if (isInputOutput) {
    return `cannot read or write ${path}: ${message} (${code}). Check the disk; a network share is no place for it.`;
  }
  return null;
}

/** SQLite needs 32 KB of space beside the store, and reports the lack of it as an I/O error. */
const leastFreeBytes = 64 * 1024;

function isFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(nearestExisting(path));
  return bavail * bsize < leastFreeBytes;
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(nearestExisting(path), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function permissionRemedy(path: string, elsewhere: string): string {
  const uid = process.geteuid?.();
  const { path: owned, stats } = nearest(path);
  const folder = dirname(owned);
  if (uid !== undefined && uid !== 0 && stats?.uid === uid) {
    // With all in the folder: SQLite gives the files beside a database its mode.
    return `Run: chmod ${owned === path ? '-R u+rwX' : 'u+rwx'} ${stats.isDirectory() ? owned : folder}`;
  }
  const isForeign = uid !== undefined && stats?.uid !== uid && nearest(folder).stats?.uid === uid;
  if (isForeign)
    return `Root or another user created it in this user's folder. Run: sudo chown -R ${uid} ${folder}`;
  return `Run Outpost as the user who owns it, give this user the right to write there, or ${elsewhere}.`;
}

/** Whose the path is, and who this process is. */
export function ownership(path: string): string {
  const uid = process.geteuid?.();
  const { path: owned, stats } = nearest(path);
  if (uid === undefined || stats === undefined) return 'this user may not write there';
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  return `this process runs as user ${uid}, and ${owned} belongs to user ${stats.uid} (mode ${mode})`;
}

/** The path, or the nearest folder above it whose state can be read. */
function nearest(path: string): { path: string; stats: Stats | undefined } {
  try {
    return { path, stats: statSync(path) };
  } catch {
    return dirname(path) === path ? { path, stats: undefined } : nearest(dirname(path));
  }
}
