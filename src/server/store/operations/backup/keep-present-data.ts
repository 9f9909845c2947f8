import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storeFile } from '../../engine/database.ts';
import { withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { isDamage } from '../../engine/storage-errors.ts';
import { freeName, timeInName } from './backup-folder.ts';

/**
 * Keeps the present data in a folder of their own; they stay in use until the stores are exchanged.
 * @returns the folder; null: there are no data
 * @throws StoreError when another process uses the store
 */
export function keepPresentData(dataFolder: string, now: number): string | null {
  const store = storeFile(dataFolder);
  if (![store, ...logs.map((log) => store + log)].some((file) => existsSync(file))) return null;
  const folder = freeName(join(dataFolder, `before-restore-${timeInName(now)}`));
  mkdirSync(folder, { mode: 0o700 });
  try {
    keepStore(store, storeFile(folder));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** What SQLite puts beside a store. */
const logs = ['-wal', '-journal'] as const;

function keepStore(store: string, aside: string): void {
  // Opening a damaged store can lose its logs.
  for (const log of logs) if (existsSync(store + log)) copyFileSync(store + log, aside + log);
  const isSound = existsSync(store) && mergeLog(store);
  if (isSound) for (const log of logs) rmSync(aside + log, { force: true });
  // Beside a sound store they mean that somebody has it open. A damaged or missing one left them behind.
  const left = [...logs, '-shm'].filter((suffix) => existsSync(store + suffix));
  if (isSound && left.length > 0) {
    throw new StoreError(
      `another process is using ${store}, perhaps an import: end it, then try again. Nothing was changed.`,
    );
  }
  if (existsSync(store)) linkOrCopy(store, aside);
  // Those of a damaged or missing store: SQLite would write them into the restored one.
  for (const suffix of left) rmSync(store + suffix);
}

function linkOrCopy(file: string, target: string): void {
  try {
    linkSync(file, target);
  } catch {
    // A file system without hard links.
    copyFileSync(file, target);
  }
}

/**
 * Writes the write-ahead log into the store and deletes it, unless others use the store.
 * @returns false: the store is damaged
 */
function mergeLog(store: string): boolean {
  try {
    withSqlite(store, { fileMustExist: true }, (sqlite) => {
      // Rolls back what a killed process left unfinished.
      sqlite.prepare('SELECT count(*) FROM sqlite_schema').get();
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    });
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}
