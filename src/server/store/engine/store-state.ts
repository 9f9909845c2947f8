import { existsSync, statSync } from 'node:fs';
import { checkStore } from './check-store.ts';
import { SQLite, type SQLiteDatabase } from './driver.ts';
import { storageProblem } from './storage-errors.ts';
import { needsUpdate, refuseNewer } from './version.ts';

export interface StoreState {
  /** Bytes of the file. */
  size: number;
  /** The next start migrates it. */
  needsUpdate: boolean;
}

/**
 * Checks all of a store, which reads the whole file. Null: there is none yet.
 * @throws StoreError when it is damaged, or made by a newer Outpost
 */
export function inspectStore(file: string): StoreState | null {
  if (!existsSync(file)) return null;
  checkStore(file, 'full');
  let sqlite: SQLiteDatabase | undefined;
  try {
    // A read-only connection would leave the files of its write-ahead log behind.
    sqlite = new SQLite(file, { fileMustExist: true });
    refuseNewer(sqlite, file);
    return { size: statSync(file).size, needsUpdate: needsUpdate(sqlite) };
  } catch (error) {
    throw storageProblem(file, error) ?? error;
  } finally {
    sqlite?.close();
  }
}
