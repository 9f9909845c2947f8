import { resolve } from 'node:path';
import { readEnvironment } from '../../config/load.ts';
import { restoreBackup } from '../../server/store/operations/backup/restore-backup.ts';
import { untilInterrupted } from '../interrupt.ts';
import { requireFileStore } from '../open-store.ts';
import { printResult, type Output } from '../output.ts';
import { showProgress } from '../progress.ts';
import { stepText } from './steps.ts';
import { limits } from '../limits.ts';

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
  const { result } = await untilInterrupted(
    async (signal) => await restoreBackup({ ...wanted, signal, onProgress }),
    'Stopped; nothing was changed.',
  ).finally(end);
  const { before, forgotten, isListMissing } = result;
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
