import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../engine/error.ts';
import { backupFolder, newBackupFile, pruneBackups } from './backup-folder.ts';

/** Backups made before updates: enough to go back by three. */
const kept = 3;
/** Two commands that are started at once after an update. */
const waitMs = 30_000;

/**
 * Backs up a store before its first pending migration, since an earlier version cannot open it afterwards. Without a
 * backup nothing is migrated. @throws StoreError
 */
export async function backUpBeforeUpdate(
  store: string,
  report: (text: string) => void = () => undefined,
): Promise<void> {
  const dataFolder = dirname(store);
  const folder = backupFolder(dataFolder);
  const now = Date.now();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = newBackupFile(folder, 'update', now);
    const megabytes = Math.ceil(statSync(store).size / 1_000_000).toLocaleString('en-US');
    report(`the database is from an earlier version: backing it up before the update (${megabytes} MB)`);
    // Loaded only now: every process and thread that opens the store would keep it in memory.
    const { createBackup } = await import('./create-backup.ts');
    await createBackup({ dataFolder, store, file, reason: 'update', now, waitMs });
    report(`backed up to ${file}; updating the database`);
    pruneBackups(dataFolder, 'update', kept);
  } catch (error) {
    const { message } = error as Error;
    throw new StoreError(
      `this version of Outpost has to change the database ${store}, and could not back it up first: ${message} ` +
        'The database is unchanged.',
      { cause: error },
    );
  }
}
