import { join } from 'node:path';
import type { StoreError } from './error.ts';
import type { StoreHealth } from './store-health.ts';
import type { Database, ReadDatabase, WriteDatabase, WriterOptions } from './connections.ts';
import { openPostgresReader, openPostgresWriter } from './postgres/open.ts';
import { isStoreUrl } from './postgres/url.ts';
import { openingProblem } from './postgres/errors.ts';
import { openSqliteReader, openSqliteWriter } from './sqlite/open.ts';
import { storageProblem } from './storage-errors.ts';

export type {
  Database,
  ReadDatabase,
  Reader,
  SharedStore,
  WriteDatabase,
  WriterOptions,
} from './connections.ts';

export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'outpost.sqlite');
}

/** Where the store of a process is: the URL that its owner set, or a file in the data folder. */
export function storeLocation(environment: { dataFolder: string; storeUrl?: string | undefined }): string {
  return environment.storeUrl ?? storeFile(environment.dataFolder);
}

/**
 * Opens (or creates) the store for writing and migrates it.
 * @param location a file of SQLite, or the URL of a database of PostgreSQL
 * @throws StoreError that says why it cannot be used, `StoreUnavailable` where it may work later
 */
export async function openWriter(location: string, options: WriterOptions = {}): Promise<WriteDatabase> {
  return await (isStoreUrl(location)
    ? openPostgresWriter(location, options)
    : openSqliteWriter(location, options));
}

/** Opens an existing, migrated store for reading only. */
export function openReader(location: string, health?: StoreHealth): ReadDatabase {
  return isStoreUrl(location) ? openPostgresReader(location, health) : openSqliteReader(location, health);
}

/** Explains an error of the store to its owner, in one line. Null: it is not about the store. */
export function storeProblem(location: string, error: unknown): StoreError | null {
  return isStoreUrl(location) ? openingProblem(location, error) : storageProblem(location, error);
}

/**
 * Returns a function that writes what is stored already, in the background, so that `StoreHealth` learns whether the store can be
 * written again. Nothing else may be due to be written for long. Anybody may have it called as often as they like: it writes a
 * second after the last attempt at the earliest.
 */
export function writeProbe(db: Database): () => void {
  let isResting = false;
  return () => {
    if (isResting) return;
    isResting = true;
    const written = db.updateTable('rights').set((row) => ({ revision: row.ref('revision') }));
    // Where it still fails, a later call tries again.
    void written
      .execute()
      .catch(() => undefined)
      .finally(() => setTimeout(() => (isResting = false), probeRestMs).unref());
  };
}

/** Longer than the second after a failure in which `StoreHealth` believes no success, so that the first one counts. */
const probeRestMs = 1_100;
