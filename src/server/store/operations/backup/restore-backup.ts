import { existsSync, statSync } from 'node:fs';
import { renameOver } from '../../../../process/rename.ts';
import { closeToOthers } from '../../engine/data-folder.ts';
import { openWriter, storeFile } from '../../engine/database.ts';
import { withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { lockDataFolder } from '../../engine/folder-lock.ts';
import { foreignIn, schemaOf } from '../../engine/sqlite/foreign-schema.ts';
import { isDamage, storageProblem } from '../../engine/storage-errors.ts';
import { migrationsOfFile, refuseOtherVersion } from '../../engine/version.ts';
import {
  type AppliedRights,
  applyPresentRights,
  requireNobodyForgottenSince,
} from '../../repositories/rights/apply-list.ts';
import { flush } from './backup-files.ts';
import { partialOf, removePartial } from './backup-folder.ts';
import { type CopyOptions, deleteTokens } from './copy-store.ts';
import { keepPresentData } from './keep-present-data.ts';
import { continueFromNow } from './restored-store.ts';
import { requireBackup, unpackBackup, unusable } from './unpack-backup.ts';

export interface RestoreOptions extends CopyOptions {
  file: string;
  /** Created if it is missing. */
  dataFolder: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
}

interface RestoreResult {
  /** Folder with the data from before; null: there was none. */
  before: string | null;
  /** How many players in the backup were forgotten since, and deleted again. */
  forgotten: number;
  /** The store from before is damaged, and so is its list of forgotten players: whoever joined it since the backup is back. */
  isListMissing: boolean;
}

const busyTimeoutMs = 10_000;

/**
 * Replaces a data folder's store by a backup. The present data stay in a folder of their own.
 *
 * The new store is prepared beside the present one. Then one rename exchanges them, so a restore that is killed leaves either
 * the old data or the new ones, complete.
 * @throws StoreError that says why nothing was changed; the signal's reason
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { file, dataFolder, configFile, now, signal } = options;
  // Before the lock creates the data folder.
  requireBackup(file);
  const lock = lockDataFolder(dataFolder, configFile, now);
  const restored = restoredFile(dataFolder);
  try {
    removePartial(restored);
    await unpackBackup(file, restored, options);
    await checkRestored(file, restored);
    const rights = await prepare(restored, dataFolder);
    signal?.throwIfAborted();
    requireNobodyForgottenSince(dataFolder, rights.list);
    const before = keepPresentData(dataFolder, now);
    await renameOver(restored, storeFile(dataFolder));
    await flush(dataFolder).catch(() => undefined);
    closeToOthers(dataFolder);
    return { before, forgotten: rights.deleted, isListMissing: rights.isListMissing };
  } catch (error) {
    throw error instanceof StoreError ? error : (storageProblem(dataFolder, error) ?? error);
  } finally {
    removePartial(restored);
    lock.release();
  }
}

const restoredFile = (dataFolder: string): string => partialOf(storeFile(dataFolder));

/** Deletes what a restore left behind that was killed. To be called while the data folder is locked. */
export function removeRestoreLeftovers(dataFolder: string): void {
  removePartial(restoredFile(dataFolder));
}

/** @throws StoreError when the store is damaged, made by another version, or has more in it than a store of Outpost */
async function checkRestored(file: string, restored: string): Promise<void> {
  try {
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
    withSqlite(restored, { readonly: true }, (sqlite) => {
      const found = sqlite.pragma('integrity_check(1)', { simple: true }) as string;
      const [pages, pageBytes] = ['page_count', 'page_size'].map(
        (name) => sqlite.pragma(name, { simple: true }) as number,
      ) as [number, number];
      if (statSync(restored).size !== pages * pageBytes)
        throw unusable(file, 'it holds more than a database');
      if (found !== 'ok') throw unusable(file, `its database is damaged (${found.replaceAll(/\s+/g, ' ')})`);
    });
  } catch (error) {
    if (!isDamage(String((error as { code?: unknown }).code))) throw error;
    throw unusable(file, `its database is damaged (${(error as Error).message})`);
  }
}

/** Makes a restored store ready for use. */
async function prepare(restored: string, dataFolder: string): Promise<AppliedRights> {
  // A backup of ours has none.
  deleteTokens(restored);
  const { db, wipe, close } = await openWriter(restored, { busyTimeoutMs });
  let rights: AppliedRights;
  try {
    // Whoever is forgotten or hidden by now must not come back.
    rights = await applyPresentRights(db, dataFolder);
    await continueFromNow(db, dataFolder);
    if (!rights.list.isEmpty) await wipe();
  } finally {
    await close();
  }
  // Closing the last connection has written the log into the store.
  if (existsSync(`${restored}-wal`))
    throw new StoreError(`could not complete ${restored}. Nothing was changed.`);
  await flush(restored);
  return rights;
}
