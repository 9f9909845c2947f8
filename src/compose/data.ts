import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.ts';
import type { Closers } from './closers.ts';
import { checkStore } from '../server/store/engine/check-store.ts';
import { closeToOthers } from '../server/store/engine/data-folder.ts';
import { openReader, openWriter, storeLocation, storeProblem } from '../server/store/engine/database.ts';
import { lockDataFolder } from '../server/store/engine/folder-lock.ts';
import { StoreHealth } from '../server/store/engine/store-health.ts';
import { removeRestoreLeftovers } from '../server/store/operations/backup/restore-backup.ts';
import { openSmallValues } from '../server/store/engine/small-values.ts';

interface DataOptions {
  environment: Pick<Environment, 'dataFolder' | 'configFile' | 'storeUrl'>;
  log: Logger;
  now: () => number;
}

/**
 * Locks the data folder, and checks, migrates and opens the store of a process. The folder is locked with a store on PostgreSQL,
 * too, since it has files of this machine.
 */
export async function openData({ environment, log, now }: DataOptions, closers: Closers) {
  const { dataFolder, storeUrl } = environment;
  const lock = lockDataFolder(dataFolder, environment.configFile, now());
  closers.push(async () => lock.release());
  /** Path of the store, or its URL. */
  const location = storeLocation(environment);
  if (storeUrl === undefined) {
    removeRestoreLeftovers(dataFolder);
    if (!checkStore(location))
      log.info(`there are no data in ${dataFolder} yet: ${basename(location)} is created, and begins empty`);
  }
  const health = new StoreHealth((state, error) => {
    if (state === 'writable') log.info('the store can be written again');
    else if (state === 'available') log.info('the store answers again');
    else log.error(storeProblem(location, error)?.message ?? `the store is ${state}`);
  });
  const writer = await openWriter(location, { health });
  closers.push(writer.close);
  const reader = openReader(location, health);
  closers.push(reader.close);
  const small = openSmallValues(writer, reader.db, log);
  for (const path of closeToOthers(dataFolder)) {
    log.warn(`every user of this machine can read ${path}: run "chmod -R o-rwx" on the data folder`);
  }
  return { location, health, writer, reader, small };
}
