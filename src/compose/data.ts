import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { defaultProject } from '../config/config-index.ts';
import type { Closers } from './closers.ts';
import { createLoggedHealth } from './logged-health.ts';
import { storeConfig } from './store-config.ts';
import { checkStore } from '../server/store/engine/check-store.ts';
import { closeToOthers } from '../server/store/engine/data-folder.ts';
import {
  openReader,
  openWriter,
  storeLocation,
  type ReadDatabase,
  type WriteDatabase,
} from '../server/store/engine/database.ts';
import { lockDataFolder } from '../server/store/engine/folder-lock.ts';
import type { StoreHealth } from '../server/store/engine/store-health.ts';
import { removeRestoreLeftovers } from '../server/store/operations/backup/restore-backup.ts';
import { takeOverClaims } from '../server/store/repositories/links/take-over-claims.ts';
import { readKeys, takeOverKey } from '../server/store/repositories/rights/forgotten-key.ts';
import { openSmallValues, type SmallValues } from '../server/store/engine/small-values.ts';
import { backUpBeforeUpdate } from '../server/store/operations/backup/before-update.ts';

/** The databases of a process. */
export interface Data {
  /** Path of the store, or its URL. */
  location: string;
  /** The config, without projects that the store refuses. */
  config: Config;
  health: StoreHealth;
  writer: WriteDatabase;
  reader: ReadDatabase;
  small: SmallValues;
}

interface DataOptions {
  environment: Pick<Environment, 'dataFolder' | 'configFile' | 'storeUrl' | 'forgottenKey'>;
  log: Logger;
  now: () => number;
}

/** Longer than any transaction of an import beside the service. */
const busyTimeoutMs = 10_000;

/**
 * Locks the data folder, checks and migrates the store, and makes it agree with the config. With a store on PostgreSQL
 * the folder still holds what belongs to this machine.
 */
export async function openData(
  config: Config,
  { environment, log, now }: DataOptions,
  closers: Closers,
): Promise<Data> {
  const { dataFolder, storeUrl } = environment;
  const lock = lockDataFolder(dataFolder, environment.configFile, now());
  closers.push(async () => lock.release());
  const location = storeLocation(environment);
  if (storeUrl === undefined) {
    removeRestoreLeftovers(dataFolder);
    if (!checkStore(location))
      log.info(`there are no data in ${dataFolder} yet: ${basename(location)} is created, and begins empty`);
  }
  if (config.store?.listenUrl !== undefined)
    log.warn('store.listenUrl in the config has no effect any more: delete it');
  const health = createLoggedHealth(log, location);
  const writer = await openWriter(location, {
    busyTimeoutMs,
    health,
    beforeUpdate: async (file) => await backUpBeforeUpdate(file, (text) => log.info(text)),
  });
  closers.push(writer.close);
  await takeOverKey(writer.db, environment);
  if (environment.forgottenKey !== undefined) {
    await readKeys(writer.db);
    log.warn(
      'OUTPOST_FORGOTTEN_KEY can be deleted: the key of the list of forgotten players is in the store',
    );
  }
  const stored = await storeConfig(writer.shared?.starting ?? writer.db, config, null, log);
  await takeOverClaims(writer.shared?.starting ?? writer.db, defaultProject(stored)?.slug, now());
  const reader = openReader(location, health);
  closers.push(reader.close);
  const small = openSmallValues(writer, reader.db, log);
  for (const path of closeToOthers(dataFolder)) {
    log.warn(`every user of this machine can read ${path}: run "chmod -R o-rwx" on the data folder`);
  }
  return { location, config: stored, health, writer, reader, small };
}
