import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { SQLite, type SQLiteDatabase, withSqlite } from './driver.ts';
import { ensureDataFolder } from './data-folder.ts';
import { storageProblem } from './storage-errors.ts';
import { StoreError } from './error.ts';
import { version } from '../../../process/version.ts';

/** The process that uses a data folder, named in the error message of the next one. */
export interface Holder {
  pid: number;
  host: string;
  /** RFC 3339. */
  since: string;
  /** Path of the config file; empty for the demo. */
  config: string;
  /** Of the program. */
  version: string;
}

const lockFileName = 'outpost.lock';
const holderFileName = 'outpost.lock.json';
/** `findHolder` of another process holds the file for less. */
const probeMs = 250;

/**
 * Locks a data folder, which is created if it is missing, for one running service. The lock is SQLite's exclusive lock on an empty file. The operating
 * system releases it however the process ends, so it is never stale and needs no process id (in containers every
 * process may have the id 1). The file beside it says who holds the lock, for the error message only.
 * @throws StoreError that names the holder, or says why the folder cannot be used
 */
export function lockDataFolder(folder: string, config: string, now: number): { release(): void } {
  ensureDataFolder(folder);
  const holderFile = join(folder, holderFileName);
  const lock = lockFile(join(folder, lockFileName), probeMs);
  if (lock === null) throw new StoreError(refusal(folder, readHolder(holderFile)));
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date(now).toISOString(),
    config: config === '' ? '' : resolve(config),
    version,
  };
  try {
    writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // The disk is full. The lock is held all the same.
  }
  return lock;
}

/**
 * Locks an empty file, which is created if it is missing.
 * @param waitMs how long this thread waits for the lock
 * @returns null when another process has the lock
 * @throws StoreError when the file cannot be created
 */
export function lockFile(file: string, waitMs = 0): { release(): void } | null {
  let lock: SQLiteDatabase | undefined;
  try {
    lock = new SQLite(file, { timeout: waitMs });
    lock.exec('BEGIN EXCLUSIVE');
    const held = lock;
    return { release: () => void held.close() };
  } catch (error) {
    lock?.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw storageProblem(file, error) ?? error;
  }
}

/** The running service that uses a data folder; `unknown`: it has not said who it is; null: there is none. */
export function findHolder(folder: string): Holder | 'unknown' | null {
  if (!isLocked(join(folder, lockFileName))) return null;
  return readHolder(join(folder, holderFileName)) ?? 'unknown';
}

/** Whether somebody holds the lock of `lockFile`. @throws StoreError when the file cannot be read */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    withSqlite(file, { readonly: true, timeout: 0 }, (lock) =>
      lock.prepare('SELECT count(*) FROM sqlite_schema').get(),
    );
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return true;
    throw storageProblem(file, error) ?? error;
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function refusal(folder: string, holder: Holder | null): string {
  const who =
    holder === null
      ? ''
      : ` (process ${holder.pid} on ${holder.host}, since ${holder.since}${holder.config === '' ? '' : `, config ${holder.config}`})`;
  return (
    `another Outpost is running on the data folder ${folder}${who}. ` +
    'Stop that one first, or give this one a data folder of its own in OUTPOST_DATA.'
  );
}
