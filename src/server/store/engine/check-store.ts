import { existsSync, statSync } from 'node:fs';
import { type SQLiteDatabase, withSqlite } from './driver.ts';
import { StoreError } from './error.ts';
import { damaged, storageProblem } from './storage-errors.ts';
import { migrationsOfFile, refuseOtherVersion } from './version.ts';

/** SQLite checks about 120 MB a second, so a full check of a larger store would delay the start. */
const fullCheckBytes = 128 * 1024 * 1024;

/**
 * Checks a store before it is used: of a large one the schema only. A copy taken while Outpost ran can be damaged anywhere,
 * and would otherwise fail only when somebody reads the damaged part.
 * @returns whether there is one
 * @throws StoreError when it is damaged
 */
export function checkStore(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  inspect(file, (sqlite) => {
    const isLarge = statSync(file).size > fullCheckBytes;
    requireSound(sqlite, file, isLarge ? "quick_check('sqlite_schema')" : undefined);
  });
  return true;
}

/**
 * Checks all of a store, which reads the whole file.
 * @returns its size in bytes; null: there is none yet
 * @throws StoreError when it is damaged, or made by another version
 */
export function inspectStore(file: string): number | null {
  if (!existsSync(file)) return null;
  return inspect(file, (sqlite) => {
    requireSound(sqlite, file);
    refuseOtherVersion(migrationsOfFile(sqlite), file);
    // Of a running Outpost, most of a new store is in the write-ahead log beside the file.
    const [pages, pageBytes] = [pragma(sqlite, 'page_count'), pragma(sqlite, 'page_size')];
    return pages * pageBytes;
  });
}

/** Removes the files of a write-ahead log that a read-only connection leaves behind, unless the store is in use. */
export function removeLogOfReader(file: string): void {
  try {
    withSqlite(file, { fileMustExist: true }, (sqlite) => pragma(sqlite, 'schema_version'));
  } catch {
    // They are in nobody's way.
  }
}

const pragma = (sqlite: SQLiteDatabase, name: string): number =>
  sqlite.pragma(name, { simple: true }) as number;

function inspect<T>(file: string, work: (sqlite: SQLiteDatabase) => T): T {
  try {
    // A read-only connection would leave the files of its write-ahead log behind.
    return withSqlite(file, { fileMustExist: true }, work);
  } catch (error) {
    throw storageProblem(file, error) ?? error;
  }
}

/** @param name of the file in the error @throws StoreError when a page is damaged */
export function requireSound(sqlite: SQLiteDatabase, name: string, check = 'quick_check(1)'): void {
  const found = sqlite.pragma(check, { simple: true }) as string;
  if (found !== 'ok') throw new StoreError(damaged(name, found.replaceAll(/\s+/g, ' ')));
}
