import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newestLogs, readLogClock, type ClockOptions } from '../../src/cli/log-clock.ts';
import { clockOfLogs } from '../../src/cli/init/time-zone.ts';
import { FileError, type FilePort } from '../../src/server/files/file-port.ts';
import { directFiles } from '../../src/server/files/direct-files.ts';
import { fileNamesOf } from '../../src/server/ingest/logs/formats/log-format.ts';
import { logFormats, usualGame } from '../../src/server/games/index.ts';

const hourMs = 3_600_000;
const name = 'DayZServer_x64.ADM';
const formats = logFormats('dayz');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-clock-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const line = (time: string): string => `${time} | ##### PlayerList log: 0 players\n`;

/** Writes a log that started at noon. @param changedAt of the file */
async function put(times: readonly string[], changedAt: string, day = '2026-11-22'): Promise<void> {
  const head = `\nAdminLog started on ${day} at 12:00:00\n\n`;
  await writeFile(join(folder, name), head + times.map(line).join(''));
  await utimes(join(folder, name), new Date(changedAt), new Date(changedAt));
}

async function clock(options: Partial<ClockOptions> = {}) {
  const port = directFiles.of('test');
  const [log = null] = newestLogs(
    await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' }),
    formats,
  );
  return log && (await readLogClock(port, folder, log, { watchMs: 0, now: Date.now, ...options }));
}

it.each([
  ['DayZServer_x64_2026-10-25_02-10-00.ADM', 'DayZServer_x64_2026-10-25_02-50-00.ADM'],
  ['DayZServer_x64_2026-11-22_18-00-00.ADM', 'DayZServer_x64_2199-01-01_00-00-00.ADM'],
  ['DayZServer_x64_2026-11-22_18-00-00.ADM', 'DayZServer_x64.ADM'],
])('%s is the latest if it was changed after %s, whatever their names say', (changed, other) => {
  const stat = (changedAt: string) => ({
    stat: { size: 1, changedAt: Date.parse(changedAt), identity: null },
  });
  const entries = [
    { name: other, ...stat('2026-11-22T18:30:00Z') },
    { name: changed, ...stat('2026-11-22T20:00:00Z') },
  ];
  expect(newestLogs(entries, formats)[0]?.name).toBe(changed);
});

describe('the clock of a log', () => {
  it.each([
    ['two hours ahead of UTC', ['13:00:20'], '2026-11-22T11:00:21Z', 2],
    ['UTC', ['13:00:20'], '2026-11-22T13:01:02Z', 0],
    ['five hours behind UTC, past midnight there', ['23:58:00', '00:30:00'], '2026-11-23T05:30:00Z', -5],
    ['ten hours ahead of UTC', ['13:00:00'], '2026-11-22T03:00:01Z', 10],
    ['half an hour off', ['17:30:00'], '2026-11-22T12:00:30Z', 5.5],
    ['that of its header, while there are no lines', [], '2026-11-22T11:00:00Z', 1],
  ])('is %s where its last line and its time agree', async (_, times, changedAt, hours) => {
    await put(times, changedAt);
    expect(await clock()).toEqual({
      offsetMs: hours * hourMs,
      at: Date.parse(changedAt),
      by: 'file time',
    });
  });

  it.each([
    ['years ago, copied at the same time of day', ['13:00:20'], '2026-11-22T10:00:21Z', '2021-03-31'],
    ['the day before', ['13:00:20'], '2026-11-23T13:00:21Z', '2026-11-22'],
    ['seventeen minutes before the file changed', ['13:00:00'], '2026-11-22T13:17:00Z', '2026-11-22'],
    ['two minutes off any zone', ['13:00:00'], '2026-11-22T12:02:00Z', '2026-11-22'],
  ])('is not known from a last line of %s', async (_, times, changedAt, day) => {
    await put(times, changedAt, day);
    expect(await clock()).toBeNull();
  });

  it('is not known without logs', async () => expect(await clock()).toBeNull());

  it('is not known from the time in a listing by FTP, which may be local', async () => {
    await put(['13:00:20'], '2026-11-22T13:00:21Z');
    expect(await clock({ place: { type: 'ftp' } })).toBeNull();
  });

  it('is that of a line which is written while the log is watched, whatever its date', async () => {
    await put(['13:00:00', '12:00:00'], '2026-11-22T20:07:00Z', '2026-10-01');
    const at = Date.parse('2026-11-25T18:31:30Z');
    const written: Promise<void>[] = [];
    const seen = await clock({
      watchMs: 10_000,
      now: () => at,
      onWatch: () => written.push(appendFile(join(folder, name), line('21:30:00'))),
    });
    await Promise.all(written);
    expect(seen).toEqual({ offsetMs: 3 * hourMs, at, by: 'growth' });
  });
});

it('names a log that may not be read', async () => {
  await put(['13:00:20'], '2026-11-22T11:00:21Z');
  const refuse = () => Promise.reject(new FileError({ code: 'EACCES', message: 'permission denied' }));
  const port = Object.assign(Object.create(directFiles.of('test')) as FilePort, { read: refuse });
  const denied: string[] = [];
  const context = { options: { server: true, discord: true }, watchMs: 0, report: () => undefined };
  expect(await clockOfLogs(context, port, { game: usualGame, logs: folder, denied }, null)).toBeNull();
  expect(denied).toEqual([join(folder, name)]);
});
