import { existsSync, mkdirSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { readEnvironment } from '../../config/load.ts';
import { backupFolder, newBackupFile } from '../../server/store/operations/backup/backup-folder.ts';
import { createBackup } from '../../server/store/operations/backup/create-backup.ts';
import { storeFile } from '../../server/store/engine/database.ts';
import { ensureDataFolder } from '../../server/store/engine/data-folder.ts';
import { untilInterrupted } from '../interrupt.ts';
import { requireFileStore } from '../open-store.ts';
import { CommandFailure, printResult, sizeText, type Output } from '../output.ts';
import { showProgress } from '../progress.ts';
import { stepText } from './steps.ts';
import { limits } from '../limits.ts';

export async function backUp(output: Output, target: string | undefined): Promise<void> {
  const environment = readEnvironment();
  requireFileStore(
    environment,
    'back it up with "pg_dump --format=custom --file=outpost.dump URL". The dump holds everything, tokens too, so keep it private.',
  );
  const { dataFolder } = environment;
  const file = fileOf(target, dataFolder, Date.now());
  const { update: onProgress, end } = showProgress(output, stepText, limits.drawEveryMs);
  const { result: bytes } = await untilInterrupted(
    async (signal) => await createBackup({ dataFolder, file, check: true, signal, onProgress }),
    'Stopped; there is no backup.',
  ).finally(end);
  const text = [
    `Backed up to ${file} (${sizeText(bytes)}).`,
    'Not part of it: the config, .env. Copy them yourself, too.',
  ];
  printResult(output, { file, bytes }, text.join('\n'));
}

function fileOf(target: string | undefined, dataFolder: string, now: number): string {
  if (target !== undefined) {
    const file = resolve(target);
    if (existsSync(file) && statSync(file).isDirectory()) return newBackupFile(file, 'command', now);
    if (extname(file) !== '') return file;
    throw new CommandFailure(
      `There is no folder ${file}, so there is no backup. Mount or create it; for a file, give a name such as ${file}.sqlite.gz.`,
    );
  }
  const folder = backupFolder(dataFolder);
  // Without a store there is nothing to back up, which the backup reports.
  if (existsSync(storeFile(dataFolder))) {
    ensureDataFolder(dataFolder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  return newBackupFile(folder, 'command', now);
}
