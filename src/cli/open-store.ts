import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { openWriter, storeLocation, type Database, type WriteDatabase } from '../server/store/database.ts';
import { addMissing } from '../server/store/projects/reconcile.ts';
import { processOutput } from './output.ts';
import { readConfig } from './read-config.ts';

/** The running service's writes are short, so a command waits for them. */
const busyTimeoutMs = 30_000;

/** Runs a command's work on the store. A running service sees the changes at once. */
export async function withStore<T>(
  environment: Environment,
  work: (db: Database, store: WriteDatabase) => Promise<T>,
): Promise<T> {
  const writer = await openWriter(storeLocation(environment), { busyTimeoutMs, onUpdate: processOutput.err });
  try {
    return await work(writer.db, writer);
  } finally {
    await writer.close();
  }
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
