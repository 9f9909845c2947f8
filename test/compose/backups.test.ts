import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createBackups } from '../../src/compose/backups.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';
import { backUp, fillDataFolder } from '../server/store/operations/backup/backup-world.ts';

async function startBackups() {
  const data = temporaryFolder();
  await fillDataFolder(data);
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const backups = createBackups(data, log);
  onTestFinished(() => backups.stop());
  const folder = join(data, 'backups');
  const made = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^scheduled-.*\.sqlite\.gz$/.test(name)) : [];
  return { data, backups, folder, made, lines };
}

const never = '0 0 29 2 *';

test('scheduled backups are made at their times, and the oldest ones deleted', async () => {
  const { backups, made, lines, data, folder } = await startBackups();
  mkdirSync(folder);
  await backUp(data, join(folder, 'mine.sqlite.gz'));
  backups.apply({ cron: '* * * * * *', keep: 2 });
  // On a slow machine the next one may be there already.
  await expect.poll(() => made().length).toBeGreaterThan(0);
  const [first] = made();
  await expect.poll(() => made().includes(first ?? '')).toBe(false);
  backups.apply({ cron: never, keep: 2 });
  await backups.run();
  await backups.run();
  expect(made()).toHaveLength(2);
  expect(readdirSync(folder)).toContain('mine.sqlite.gz');
  const finished = lines.filter(({ msg }) => msg === 'backed up the data folder');
  expect(finished.length).toBeGreaterThanOrEqual(3);
});

test('without a schedule there are none, and a failure is one line in the log', async () => {
  const { backups, made, lines } = await startBackups();
  await backups.run();
  expect(made()).toEqual([]);
  const empty = createBackups(temporaryFolder(), pino({ level: 'silent' }));
  empty.apply({ cron: never, keep: 1 });
  await empty.run();
  expect(lines).toEqual([]);
  const broken = createBackups(
    join(temporaryFolder(), 'none'),
    pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  );
  broken.apply({ cron: never, keep: 1 });
  await broken.run();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, expect.stringMatching(/^could not make the scheduled backup: there is nothing to back up: /)],
  ]);
  await Promise.all([empty.stop(), broken.stop()]);
});

test('a stop ends a backup, of which nothing stays', async () => {
  const { backups, lines, data } = await startBackups();
  backups.apply({ cron: never, keep: 1 });
  const running = backups.run();
  await backups.stop();
  await running;
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  expect(readdirSync(data).filter((name) => name.includes('partial'))).toEqual([]);
});
