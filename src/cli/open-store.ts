import { existsSync } from 'node:fs';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import {
  openReader,
  openWriter,
  storeFile,
  storeLocation,
  type Database,
  type ReadDatabase,
  type WriteDatabase,
} from '../server/store/database.ts';
import { StoreUnavailable } from '../server/store/engine/error.ts';
import { shownUrl } from '../server/store/engine/postgres/url.ts';
import { addMissing } from '../server/store/projects/reconcile.ts';
import { CommandFailure, processOutput } from './output.ts';
import { useSharedKey } from '../server/store/rights/shared-key.ts';
import { readConfig } from './read-config.ts';

/** The running service's writes are short, so a command waits for them. */
const busyTimeoutMs = 30_000;

/** Runs a command's work on the store. A running service sees the changes at once. */
export async function withStore<T>(
  environment: Environment,
  work: (db: Database, store: WriteDatabase) => Promise<T>,
): Promise<T> {
  useSharedKey({ variable: environment.forgottenKey ?? null, folder: environment.dataFolder });
  const writer = await openWriter(storeLocation(environment), { busyTimeoutMs, onUpdate: processOutput.err });
  try {
    return await work(writer.db, writer);
  } finally {
    await writer.close();
  }
}

/** The store for reading, if there is one. One on PostgreSQL may be away: its statements fail then. */
export function openExisting(environment: Environment): ReadDatabase | null {
  return hasStore(environment) ? openReader(storeLocation(environment)) : null;
}

/** Whether a store could not be read because it is away, or has no such table: nothing was started on it yet. */
export function isUnread(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  return /no such table|relation .* does not exist/i.test((error as Error).message);
}

/** Whether the store was created; one on PostgreSQL counts as created. */
export function hasStore({ storeUrl, dataFolder }: Environment): boolean {
  return storeUrl !== undefined || existsSync(storeFile(dataFolder));
}

/** @throws CommandFailure for a command that is about the file of the store */
export function requireFileStore({ storeUrl }: Environment, instead: string): void {
  if (storeUrl === undefined) return;
  throw new CommandFailure(`the store is on PostgreSQL (${shownUrl(storeUrl)}): ${instead}`);
}

/**
 * The same for work that names projects, servers or ban lists; new ones in the config are added to the store first.
 */
export async function withConfiguredStore<T>(
  environment: Environment,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment.configFile);
  return await withStore(environment, async (db) => {
    await addMissing(db, config);
    return await work(db, config);
  });
}
