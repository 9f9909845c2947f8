import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { openWriter, storeFile, type Database } from '../server/store/database.ts';
import { addMissing } from '../server/store/reconcile.ts';
import { readConfig } from './read-config.ts';

/** Beside a running service a command waits its turn: the service's writes are short. */
const busyTimeoutMs = 30_000;

/** Runs a command's work on the store, which a running service sees at once. */
export async function withStore<T>(environment: Environment, work: (db: Database) => Promise<T>): Promise<T> {
  const writer = await openWriter(storeFile(environment.dataFolder), { busyTimeoutMs });
  try {
    return await work(writer.db);
  } finally {
    await writer.close();
  }
}

/** The same for work that names projects, servers or ban lists: what is new in the config is added first. */
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
