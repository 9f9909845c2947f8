import { renameOver } from '../../../../process/rename.ts';
import { closeToOthers } from '../../engine/data-folder.ts';
import { storeFile } from '../../engine/database.ts';
import { hasTable, withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { lockDataFolder } from '../../engine/folder-lock.ts';
import { isDamage, storageProblem } from '../../engine/storage-errors.ts';
import { migrationsOfFile, refuseOtherVersion } from '../../engine/version.ts';
import { flush, partialOf, removePartial } from './backup-folder.ts';
import type { CopyOptions } from './copy-store.ts';
import { keepPresentData } from './keep-present-data.ts';
import { type Prepared, prepareRestored } from './prepare-restored.ts';
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

interface RestoreResult extends Omit<Prepared, 'requireSameRights'> {
  /** Folder with the data from before; null: there was none. */
  before: string | null;
}

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
    checkRestored(file, restored);
    const { requireSameRights, ...prepared } = await prepareRestored(restored, dataFolder);
    signal?.throwIfAborted();
    await requireSameRights();
    const before = keepPresentData(dataFolder, now);
    await renameOver(restored, storeFile(dataFolder));
    await flush(dataFolder).catch(() => undefined);
    closeToOthers(dataFolder);
    return { before, ...prepared };
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

/**
 * A backup may come from anywhere.
 * @throws StoreError when it is damaged, made by another version, or has a trigger, a view or a virtual table: these could change
 * what is stored later
 */
function checkRestored(file: string, restored: string): void {
  try {
    withSqlite(restored, { readonly: true }, (sqlite) => {
      const computed = "SELECT type || ' ' || name FROM sqlite_schema WHERE coalesce(rootpage, 0) = 0";
      const foreign = sqlite.prepare(computed).pluck().get() as string | undefined;
      if (foreign !== undefined)
        throw unusable(file, `its database has the ${foreign}, which is not Outpost's`);
      const migrations = migrationsOfFile(sqlite);
      refuseOtherVersion(migrations, file);
      if (migrations.length === 0 || !hasTable(sqlite, 'server'))
        throw unusable(file, 'its database is not a store of Outpost');
      const found = sqlite.pragma('integrity_check(1)', { simple: true }) as string;
      if (found !== 'ok') throw unusable(file, `its database is damaged (${found.replaceAll(/\s+/g, ' ')})`);
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw unusable(file, `its database is damaged (${(error as Error).message})`);
  }
}
