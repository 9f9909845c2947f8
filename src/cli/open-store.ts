import type { Environment } from '../config/environment.ts';
import { readConfig, readEnvironment } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import {
  openReader,
  openWriter,
  storeFile,
  storeLocation,
  type Database,
  type ReadDatabase,
  type WriteDatabase,
} from '../server/store/engine/database.ts';
import { removeLogOfReader } from '../server/store/engine/check-store.ts';
import { isMissing } from '../server/store/engine/data-folder.ts';
import { StoreError, StoreUnavailable } from '../server/store/engine/error.ts';
import { inspectPostgres } from '../server/store/engine/postgres/server.ts';
import { storageProblem } from '../server/store/engine/storage-errors.ts';
import { shownUrl } from '../server/store/engine/postgres/url.ts';
import { addMissing } from '../server/store/repositories/projects/reconcile.ts';
import { CommandFailure } from './output.ts';
import { limits } from './limits.ts';

type Work<T> = (db: Database, store: WriteDatabase) => Promise<T>;

/**
 * Runs a command's work on the store. A running service sees the changes at once.
 * @throws CommandFailure when there is none: an answer from a folder that was named by mistake would be wrong
 */
export async function withStore<T>(work: Work<T>): Promise<T> {
  const { storeUrl, dataFolder } = readEnvironment();
  const isNew =
    storeUrl === undefined ? isMissing(storeFile(dataFolder)) : (await inspectPostgres(storeUrl)).isNew;
  if (!isNew) return await withNewStore(work);
  throw new CommandFailure(
    storeUrl === undefined
      ? `there is no store in ${dataFolder}. Name the data folder of your Outpost in OUTPOST_DATA; a new one gets its store at the first start.`
      : `there is no store at ${shownUrl(storeUrl)}. Name the database of your Outpost in OUTPOST_STORE_URL; a new one gets its tables at the first start.`,
  );
}

/** Opens the store for work that makes sense in a new one, too, which is made then. */
export async function withNewStore<T>(work: Work<T>): Promise<T> {
  const writer = await openWriter(storeLocation(readEnvironment()), { busyTimeoutMs: limits.storeBusyMs });
  try {
    return await work(writer.db, writer);
  } finally {
    await writer.close();
  }
}

/**
 * Opens the store for work that names projects, servers or ban lists; new ones in the config are added to the store first.
 * @param open `withStore`: the work needs a store that exists
 */
export async function withConfiguredStore<T>(
  work: (db: Database, config: Config) => Promise<T>,
  open = withNewStore<T>,
): Promise<T> {
  const config = readConfig(readEnvironment().configFile);
  return await open(async (db) => {
    await addMissing(db, config);
    return await work(db, config);
  });
}

/** Reads the store for a check. @returns what the work does; `otherwise` where there is no store, or none that can be read */
export type ReadStore = <T>(work: (db: ReadDatabase['db']) => Promise<T>, otherwise: T) => Promise<T>;

export function storeReader(environment: Environment): ReadStore {
  const { storeUrl, dataFolder } = environment;
  const file = storeUrl === undefined ? storeFile(dataFolder) : null;
  return async (work, otherwise) => {
    let reader: ReadDatabase | undefined;
    try {
      if (file !== null && isMissing(file)) return otherwise;
      reader = openReader(storeLocation(environment));
      return await work(reader.db);
    } catch (error) {
      // What is wrong with the file itself, a check of its own reports.
      const isOfFile = file !== null && (error instanceof StoreError || storageProblem(file, error) !== null);
      if (isOfFile || isUnread(error)) return otherwise;
      throw error;
    } finally {
      await reader?.close();
      if (file !== null) removeLogOfReader(file);
    }
  };
}

/** Whether a store could not be read because it is away or new. */
function isUnread(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  return /no such (?:table|column)|(?:relation|column) .* does not exist/i.test((error as Error).message);
}

/** @throws CommandFailure for a command that is about the file of the store */
export function requireFileStore({ storeUrl }: Environment, instead: string): void {
  if (storeUrl === undefined) return;
  throw new CommandFailure(`the store is on PostgreSQL (${shownUrl(storeUrl)}): ${instead}`);
}
