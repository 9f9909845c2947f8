import { existsSync, mkdirSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { serverOf } from '../config/config-index.ts';
import { readConfig, readEnvironment } from '../config/load.ts';
import { storeUrlMistake } from '../config/store-url.ts';
import { ensureDataFolder } from '../server/store/engine/data-folder.ts';
import { storeFile } from '../server/store/engine/database.ts';
import { shownUrl } from '../server/store/engine/postgres/url.ts';
import { backupFolder, newBackupFile } from '../server/store/operations/backup/backup-folder.ts';
import type { StepProgress } from '../server/store/operations/backup/copy-store.ts';
import { createBackup } from '../server/store/operations/backup/create-backup.ts';
import { restoreBackup } from '../server/store/operations/backup/restore-backup.ts';
import { transferStore } from '../server/store/operations/transfer-store.ts';
import { refreshStale } from '../server/store/repositories/players/stale-statistics.ts';
import {
  forgetServer,
  readServerContents,
  type ServerContents,
} from '../server/store/repositories/projects/server-identity.ts';
import { confirm } from './confirm.ts';
import { untilInterrupted } from './interrupt.ts';
import { limits } from './limits.ts';
import { requireFileStore, withStore } from './open-store.ts';
import { CommandFailure, count, printResult, sizeText, type Output } from './output.ts';
import { percentOf, showProgress } from './progress.ts';

const stepWords: Record<StepProgress['step'], string> = {
  copy: 'copying the database',
  compress: 'compressing',
  read: 'reading the backup',
};

const stepText = ({ step, done, total }: StepProgress): string =>
  `${stepWords[step]}: ${percentOf(done, total)} of ${sizeText(total)}`;

export async function backUp(output: Output, target: string | undefined): Promise<void> {
  const environment = readEnvironment();
  requireFileStore(
    environment,
    'back it up with "pg_dump --format=custom --file=outpost.dump URL". The dump holds everything, tokens too, so keep it private.',
  );
  const { dataFolder } = environment;
  const file = fileOf(target, dataFolder, Date.now());
  const { update: onProgress, end } = showProgress(output, stepText, limits.drawEveryMs);
  const bytes = await untilInterrupted(
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
    if (existsSync(file) && statSync(file).isDirectory()) return newBackupFile(file, 'outpost', now);
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
  return newBackupFile(folder, 'outpost', now);
}

export async function restore(output: Output, target: string): Promise<void> {
  const environment = readEnvironment();
  requireFileStore(
    environment,
    'stop every Outpost on it and restore a dump with "pg_restore" into an empty database. A backup made by ' +
      '"outpost backup" is restored without the store URL, then copied with "outpost store copy".',
  );
  const { dataFolder, configFile } = environment;
  const file = resolve(target);
  const { update: onProgress, end } = showProgress(output, stepText, limits.drawEveryMs);
  const wanted = { file, dataFolder, configFile, now: Date.now() };
  const { before, forgotten, isListMissing } = await untilInterrupted(
    async (signal) => await restoreBackup({ ...wanted, signal, onProgress }),
    'Stopped; nothing was changed.',
  ).finally(end);
  const lines = [`Restored ${file} into ${dataFolder}.`];
  if (before !== null) lines.push(`The data from before are in ${before}: delete them when all is well.`);
  if (forgotten > 0) {
    const were = forgotten === 1 ? 'One player was' : `${forgotten} players were`;
    const was = forgotten === 1 ? 'was' : 'were';
    lines.push(`${were} forgotten since the backup, and ${was} deleted from it again.`);
  }
  if (isListMissing)
    lines.push(
      'The database from before is damaged, so nobody knows who was forgotten after this backup was made: forget',
      'those players again.',
    );
  lines.push(
    'Applications whose secrets were rotated or revoked since then have their earlier ones again: see "outpost app list".',
    'Start Outpost: it reads on from where the backup ends.',
  );
  const details = { file, dataFolder, before, forgotten, isListMissing };
  printResult(output, details, lines.join('\n'));
}

export async function copyStore(
  output: Output,
  options: { to?: string; from?: string },
  self: Command,
): Promise<void> {
  const { dataFolder, configFile, storeUrl } = readEnvironment();
  const to = options.to ?? storeUrl ?? self.error('error: expected --to or OUTPOST_STORE_URL');
  // Not by commander, which would quote it: it may contain a password.
  const mistake = storeUrlMistake(to);
  if (mistake !== null) self.error(`error: --to: ${mistake}`);
  const from = options.from === undefined ? dataFolder : resolve(options.from);
  const { update: onProgress, end } = showProgress(output, rowsText, limits.drawEveryMs);
  const result = await untilInterrupted(
    async (signal) => await transferStore({ from, to, configFile, now: Date.now(), signal, onProgress }),
    'Stopped; nothing was copied. Run the same command again to begin anew.',
  ).finally(end);
  const { tables, rows } = result;
  const text = [
    `Copied ${from} to ${shownUrl(to)}: ${count(rows, 'row')} in ${count(tables, 'table')}, with tokens and what the bot keeps.`,
    'Next: set OUTPOST_STORE_URL to the URL, and start Outpost. Keep the data folder until all is well.',
  ];
  printResult(output, { from, to: shownUrl(to), ...result }, text.join('\n'));
}

const rowsText = ({ done, total }: StepProgress): string =>
  `copying: ${percentOf(done, total)} of ${count(total, 'row')}`;

export async function forgetServerData(
  output: Output,
  id: string,
  options: { yes?: boolean },
): Promise<void> {
  if (serverOf(readConfig(readEnvironment().configFile), id) !== undefined) {
    throw new CommandFailure(
      `${id} is in the config, so its files would be read again: remove it there, restart Outpost or send it ` +
        'SIGHUP, then run this command again.',
    );
  }
  const contents = await withStore(async (db) => {
    if (options.yes !== true) {
      const contents = contentsText(await readServerContents(db, id));
      await confirm(`Delete ${contents} of ${id}? This cannot be undone.`, 'Nothing was deleted.');
    }
    const forgotten = await forgetServer(db, id);
    await refreshStale(db);
    return forgotten;
  });
  const text = `Deleted ${id}: ${contentsText(contents)}. Computed the figures of ${count(contents.players, 'player')} again.`;
  printResult(output, { id, ...contents }, text);
}

const contentsText = ({ runs, files, characters, samples }: ServerContents): string =>
  `${count(runs, 'log run')}, ${count(files, 'file')}, ${count(characters, 'character')}, ${count(samples, 'sample')} for charts`;
