import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { isBusy, SQLite, type SQLiteDatabase, withSqlite } from './driver.ts';
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

/** An empty file, on which a running service holds SQLite's exclusive lock. */
const lockIn = (folder: string): string => join(folder, 'outpost.lock');
/** Says who holds the lock, for the error message only. */
const holderIn = (folder: string): string => join(folder, 'outpost.lock.json');
/** `findHolder` of another process holds the file for less. */
const probeMs = 250;

/**
 * Locks a data folder, which is created if it is missing, for one running service. The operating system releases the lock
 * however the process ends, so it is never stale and needs no process id (in containers every process may have the id 1).
 * @throws StoreError that names the holder, or says why the folder cannot be used
 */
export function lockDataFolder(folder: string, config: string, now: number): { release(): void } {
  ensureDataFolder(folder);
  let lock: SQLiteDatabase | undefined;
  try {
    lock = new SQLite(lockIn(folder), { timeout: probeMs });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw new StoreError(refusal(folder, readHolder(folder)));
    throw storageProblem(lockIn(folder), error) ?? error;
  }
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date(now).toISOString(),
    config: config === '' ? '' : resolve(config),
    version,
  };
  try {
    writeFileSync(holderIn(folder), JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // The disk is full. The lock is held all the same.
  }
  const held = lock;
  return { release: () => void held.close() };
}

/**
 * The running service that uses a data folder; `unknown`: it has not said who it is; null: there is none.
 * @throws StoreError when the lock cannot be read
 */
export function findHolder(folder: string): Holder | 'unknown' | null {
  const file = lockIn(folder);
  if (!existsSync(file)) return null;
  try {
    withSqlite(file, { readonly: true, timeout: 0 }, (lock) =>
      lock.prepare('SELECT count(*) FROM sqlite_schema').get(),
    );
    return null;
  } catch (error) {
    if (isBusy(error)) return readHolder(folder) ?? 'unknown';
    throw storageProblem(file, error) ?? error;
  }
}

function readHolder(folder: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderIn(folder), 'utf8')) as Holder;
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
