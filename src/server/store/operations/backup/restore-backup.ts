import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameOver } from '../../../../process/rename.ts';
import { withSqlite } from '../../engine/driver.ts';
import { openWriter, storeFile } from '../../engine/database.ts';
import { closeToOthers } from '../../engine/data-folder.ts';
import { StoreError } from '../../engine/error.ts';
import { lockDataFolder } from '../../engine/folder-lock.ts';
import { readBotValues, replaceByBotValues, type SmallValue } from '../../engine/small-values.ts';
import { foreignIn, schemaOf } from '../../engine/sqlite/foreign-schema.ts';
import { isDamage, storageProblem } from '../../engine/storage-errors.ts';
import { migrationsOfFile, refuseOtherVersion } from '../../engine/version.ts';
import { latestDeath } from '../../repositories/kills/deaths.ts';
import { flush } from './backup-files.ts';
import { checkWhole, type CopyOptions } from './copy-store.ts';
import type { Manifest } from './manifest.ts';
import { keepPresentData } from './keep-present-data.ts';
import { extractBackup, readManifest, unusable } from './read-archive.ts';
import {
  type AppliedRights,
  applyPresentRights,
  requireNobodyForgottenSince,
} from '../../repositories/rights/apply-list.ts';
import { continueFromNow, readPresent } from './restored-store.ts';

export interface RestoreOptions extends CopyOptions {
  file: string;
  /** Created if it is missing. */
  dataFolder: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
  /** What the bot shall keep. `present`: what it keeps now. */
  botStateOf: (state: {
    backedUp: readonly SmallValue[];
    present: readonly SmallValue[];
    /** The latest death in the restored store; 0: there is none. */
    latestDeathId: number;
  }) => SmallValue[];
}

interface RestoreResult {
  manifest: Manifest;
  /** Folder with the data from before; null: there was none. */
  before: string | null;
  /** How many players in the backup were forgotten since, and deleted again. */
  forgotten: number;
  /** The store from before is damaged, and so is its list of forgotten players: whoever joined it since the backup is back. */
  isListMissing: boolean;
}

const stagingName = 'restore.outpost-partial';
const busyTimeoutMs = 10_000;

/**
 * Replaces a data folder's store by a backup. The present data stay in a folder of their own.
 *
 * Everything is prepared beside the present store. Then one rename exchanges the stores, so a restore that is killed
 * leaves either the old data or the new ones, complete.
 * @throws StoreError that says why nothing was changed; the signal's reason
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataFolder, configFile, now } = options;
  // What is no backup leaves nothing behind.
  await readManifest(options.file);
  const lock = lockDataFolder(dataFolder, configFile, now);
  const staging = join(dataFolder, stagingName);
  try {
    removeRestoreLeftovers(dataFolder);
    mkdirSync(staging, { mode: 0o700 });
    const { manifest, rights } = await prepare(options, staging);
    options.signal?.throwIfAborted();
    requireNobodyForgottenSince(dataFolder, rights.list);
    const before = keepPresentData(dataFolder, now);
    await exchange(dataFolder, staging);
    return { manifest, before, forgotten: rights.deleted, isListMissing: rights.isListMissing };
  } catch (error) {
    throw error instanceof StoreError ? error : (storageProblem(dataFolder, error) ?? error);
  } finally {
    removeRestoreLeftovers(dataFolder);
    lock.release();
  }
}

/** Deletes what a restore left behind that was killed. To be called while the data folder is locked. */
export function removeRestoreLeftovers(dataFolder: string): void {
  rmSync(join(dataFolder, stagingName), { recursive: true, force: true, maxRetries: 10 });
}

/** Extracts and checks the backup, and makes its store ready for use. */
async function prepare(
  options: RestoreOptions,
  staging: string,
): Promise<{ manifest: Manifest; rights: AppliedRights }> {
  const { file, dataFolder, botStateOf } = options;
  const manifest = await extractBackup(file, staging, options);
  const restored = storeFile(staging);
  await checkRestored(file, restored);
  const present = (await readPresent(dataFolder, readBotValues)) ?? [];
  const { db, wipe, close } = await openWriter(restored, { busyTimeoutMs });
  let rights: AppliedRights;
  try {
    // Whoever is forgotten or hidden by now must not come back.
    rights = await applyPresentRights(db, dataFolder);
    await continueFromNow(db, dataFolder);
    const backedUp = await readBotValues(db);
    const { latest: latestDeathId } = await latestDeath(db);
    await replaceByBotValues(db, botStateOf({ backedUp, present, latestDeathId }));
    if (!rights.list.isEmpty) await wipe();
  } finally {
    await close();
  }
  // Closing the last connection has written the log into the store.
  if (existsSync(`${restored}-wal`))
    throw new StoreError(`could not complete ${restored}. Nothing was changed.`);
  await flush(restored);
  return { manifest, rights };
}

/** @throws StoreError when the extracted store is damaged, made by another version, or has more in it than a store of Outpost */
async function checkRestored(file: string, restored: string): Promise<void> {
  try {
    checkWhole(restored, file);
    const { schema, migration } = withSqlite(restored, { readonly: true }, (sqlite) => {
      const found = schemaOf(sqlite);
      // A view in place of a table could run for ever when it is read.
      const view = [...found.keys()].find((entry) => entry.startsWith('view '));
      if (view !== undefined) throw unusable(file, `its database has the ${view}, which is not Outpost's`);
      const applied = migrationsOfFile(sqlite);
      refuseOtherVersion(applied, file);
      return { schema: found, migration: applied.at(-1) };
    });
    if (migration === undefined || !schema.has('table server'))
      throw unusable(file, 'its database is not a store of Outpost');
    const problem = await foreignIn(schema, migration);
    if (problem !== null) throw unusable(file, problem);
  } catch (error) {
    if (!isDamage(String((error as { code?: unknown }).code))) throw error;
    throw unusable(file, `its database is damaged (${(error as Error).message})`);
  }
}

async function exchange(dataFolder: string, staging: string): Promise<void> {
  await renameOver(storeFile(staging), storeFile(dataFolder));
  await flush(dataFolder).catch(() => undefined);
  closeToOthers(dataFolder);
}
