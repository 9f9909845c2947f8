import { mkdirSync } from 'node:fs';
import { backupFolder, newBackupFile, pruneBackups } from './backup-folder.ts';
import { createBackup } from './create-backup.ts';

export interface BackupRequest {
  dataFolder: string;
  /** How many scheduled backups to keep. */
  keep: number;
}

export type BackupAnswer = { file: string; bytes: number } | { problem: string };

/** Makes one scheduled backup, and deletes the oldest ones. */
async function makeScheduled(
  { dataFolder, keep }: BackupRequest,
  signal: AbortSignal,
): Promise<BackupAnswer> {
  try {
    const now = Date.now();
    const folder = backupFolder(dataFolder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = newBackupFile(folder, 'schedule', now);
    const { bytes } = await createBackup({ dataFolder, file, reason: 'schedule', now, signal });
    pruneBackups(dataFolder, 'schedule', keep);
    return { file, bytes };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const stop = new AbortController();
// The service has ended, or is about to.
process.once('disconnect', () => stop.abort(new Error('stopped')));
// Ctrl+C on the terminal reaches this process, too; the service then ends it.
process.on('SIGINT', () => undefined);
process.once('message', (request: BackupRequest) => {
  void makeScheduled(request, stop.signal).then((answer) => {
    if (!process.connected) return;
    process.send?.(answer, () => process.disconnect());
  });
});
