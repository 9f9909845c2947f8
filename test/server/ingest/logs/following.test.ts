import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { directFiles, FileError, type FileAccess, type Files, type FileStat } from 'game-files';
import { beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { SourceOutcome } from '../../../../src/server/ingest/follower/polled-source.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { createTestClock } from '../../../harness/clock.ts';
import {
  contents,
  header,
  idA,
  idB,
  idC,
  run,
  sampleLogs,
  statsOf,
  steamA,
  steamB,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../fixture.ts';
import { createSourceWatch, importLogs, type SourceWatch } from '../../../harness/logs.ts';

let db: Database;
let folder: string;
let log: string;
let watch: SourceWatch;
beforeEach(async () => {
  db = await temporaryStore();
  folder = temporaryFolder();
  log = join(folder, 'DayZServer_x64.ADM');
  watch = createSourceWatch(db);
});

const sources = () => ({ servers: [{ id: 's', logs: folder }], banlists: [] });
const look = (): Promise<SourceOutcome[]> => watch.followOn(sources());
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that somebody holds: heap and buffers. What is free of these is given back in a thread of its own. */
async function heldBytes(): Promise<number> {
  for (let rounds = 0; rounds < 3; rounds += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** As often as it takes until a file counts as finished. */
async function lookOften(): Promise<void> {
  for (let i = 0; i < 8; i++) await look();
}
const stored = async () =>
  await db.selectFrom('log_file').select(['path', 'position', 'unread_lines']).orderBy('path').execute();

/** What the store holds after these texts were imported in one go. */
async function imported(...texts: (string | Buffer)[]): Promise<unknown> {
  const other = await temporaryStore();
  const elsewhere = temporaryFolder();
  const files = texts.map((text, i) => {
    const file = join(elsewhere, `${i}.ADM`);
    writeFileSync(file, text);
    return file;
  });
  const { failures } = await importLogs(other, { serverId: 's', files });
  expect(failures).toEqual([]);
  return await contents(other);
}

const connected = (time: string, id: string, name = 'A') =>
  `${time} | Player "${name}"(id=${id}) is connected\n`;
const left = (time: string, id: string, name = 'A') =>
  `${time} | Player "${name}"(id=${id}) has been disconnected\n`;
const killed = (time: string) =>
  `${time} | Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player "B" (id=${idB} pos=<4, 5, 6>) with SVD from 300.5 meters \n`;

const first = run(connected('12:00:00', idA).trim(), connected('12:00:00', idB, 'B').trim());
const second = `${header('2024-05-01 16:00:00')}${connected('16:00:10', idA)}${killed('16:05:00')}${left('16:10:00', idB, 'B')}`;

describe('a log that grows', () => {
  test.each([1, 2, 3])('counts like one that was imported whole, wherever it was cut (%i)', async (seed) => {
    const text = readFileSync(sampleLogs('server-b')[0] as string).subarray(0, 120_000);
    const random = seededRandom(seed);
    for (let at = 0; at < text.length;) {
      const next = at + 1 + Math.floor(random() * 12_000);
      appendFileSync(log, text.subarray(at, next));
      at = next;
      // Half of the time another process goes on.
      if (random() < 0.5) watch = createSourceWatch(db);
      await look();
    }
    await look();
    const whole = text.subarray(0, text.lastIndexOf(10) + 1);
    expect(await contents(db)).toEqual(await imported(whole));
    expect((await stored())[0]?.position).toBe(whole.length);
  });

  test('shows a kill at the next poll, and an open session up to the last time seen', async () => {
    writeFileSync(log, first);
    await look();
    appendFileSync(log, killed('12:20:00'));
    await look();
    await look();
    expect(await statsOf(db, idB)).toMatchObject({
      player_kills: 1,
      longest_kill_meters: 300.5,
      total_play_seconds: 1200,
    });
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 1, longest_life_seconds: 1200 });
  });

  test('is not read again from its start', async () => {
    writeFileSync(log, first + '12:00:01 | #####\n'.repeat(500));
    await look();
    // Far from its beginning and from where it was left: nobody looks there any more.
    const file = openSync(log, 'r+');
    writeSync(file, 'XX:00:01', first.length + 4_000);
    closeSync(file);
    appendFileSync(log, killed('12:20:00'));
    await look();
    expect((await stored())[0]?.unread_lines).toBe(0);
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
  });

  test('has its last line counted only when it has ended, though it was cut inside a character', async () => {
    const line = Buffer.from(killed('12:20:00').replace('"B"', '"Бо"'));
    const cut = line.indexOf('о') + 1;
    writeFileSync(log, first);
    appendFileSync(log, line.subarray(0, cut));
    await look();
    await look();
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 0 });
    appendFileSync(log, line.subarray(cut, line.length - 5));
    await look();
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 0 });
    appendFileSync(log, line.subarray(line.length - 5));
    await look();
    await look();
    expect(await contents(db)).toEqual(await imported(Buffer.concat([Buffer.from(first), line])));
  });

  test('begins another run at each header, and closes the sessions of the one before', async () => {
    writeFileSync(log, first);
    await look();
    appendFileSync(log, `12:30:00 | #####\n${second}`);
    await look();
    await look();
    expect(await contents(db)).toEqual(await imported(`${first}12:30:00 | #####\n${second}`));
    expect(await statsOf(db, idB)).toMatchObject({ total_play_seconds: 1800 });
  });

  test('counts alike with Windows line ends, in CP1251, and with NULs where a crash was', async () => {
    const name = Buffer.from([0xc2, 0xe0, 0xf1, 0xff]);
    const [before, after] = connected('12:10:00', idA, '@').split('@') as [string, string];
    const bytes = Buffer.concat([
      Buffer.from(first.replaceAll('\n', '\r\n')),
      Buffer.from(before),
      name,
      Buffer.from(after),
      Buffer.alloc(3000),
      Buffer.from(second.slice(second.indexOf('AdminLog'))),
    ]);
    for (let at = 0; at < bytes.length; at += 97) {
      appendFileSync(log, bytes.subarray(at, at + 97));
      await look();
    }
    await look();
    expect(await contents(db)).toEqual(await imported(bytes));
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
    expect(JSON.stringify(await contents(db))).toContain('Вася');
    expect(await db.selectFrom('log_run').select('header').execute()).toHaveLength(2);
  });

  test('keeps its day through midnights and restarts of Outpost', async () => {
    writeFileSync(log, `${header('2024-05-01 23:50:00')}${connected('23:50:00', idA)}`);
    for (const time of ['00:10:00', '12:00:00', '23:55:00', '00:05:00', '00:30:00']) {
      await look();
      watch = createSourceWatch(db);
      appendFileSync(log, `${time} | #####\n`);
    }
    await look();
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 86_400 + 2400 });
  });

  test('goes on days later where nobody was on meanwhile', async () => {
    const clock = createTestClock(Date.parse('2024-05-03T22:00:00Z'));
    const writtenAt = (time: string): void => utimesSync(log, new Date(time), new Date(time));
    writeFileSync(
      log,
      `${header('2024-05-03 18:00:00')}${connected('18:00:00', idA)}${left('22:00:00', idA)}`,
    );
    writtenAt('2024-05-03T22:00:00Z');
    watch = createSourceWatch(db, { clock });
    await look();
    clock.advance(Date.parse('2024-05-10T19:59:50Z') - clock.now());
    // The process was started meanwhile.
    watch = createSourceWatch(db, { clock });
    await look();
    clock.advance(10_000);
    appendFileSync(log, connected('20:00:00', idA));
    writtenAt('2024-05-10T20:00:00Z');
    await look();
    clock.advance(60_000);
    appendFileSync(log, killed('20:01:00'));
    writtenAt('2024-05-10T20:01:00Z');
    await look();
    expect(await db.selectFrom('death').select('at').execute()).toEqual([
      { at: Date.parse('2024-05-10T20:01:00Z') },
    ]);
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 4 * 3600 + 60 });
  });

  test('may end in NULs that a share fills later', async () => {
    const line = killed('12:20:00');
    writeFileSync(log, Buffer.concat([Buffer.from(first), Buffer.alloc(line.length)]));
    await look();
    const file = openSync(log, 'r+');
    writeSync(file, line, first.length);
    closeSync(file);
    await look();
    await look();
    expect(await contents(db)).toEqual(await imported(first + line));
  });

  test('has a line of 10 MiB skipped in bounded memory, and what follows it read', async () => {
    writeFileSync(log, first);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const before = await heldBytes();
    let most = before;
    for (let i = 0; i < 10; i++) {
      appendFileSync(log, piece);
      await look();
      most = Math.max(most, await heldBytes());
      if (i % 3 === 0) watch = createSourceWatch(db);
    }
    appendFileSync(log, `\n${killed('12:20:00')}`);
    await look();
    await look();
    expect(await contents(db)).toEqual(
      await imported(`${first}${'x'.repeat(10 * 1024 * 1024)}\n${killed('12:20:00')}`),
    );
    expect((await stored())[0]?.unread_lines).toBe(1);
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
    expect(most - before).toBeLessThan(6 * 1024 * 1024);
  });

  test('may be of 0 bytes until it begins', async () => {
    writeFileSync(log, '');
    expect(await look()).toEqual([]);
    appendFileSync(log, first);
    await look();
    expect(await contents(db)).toEqual(await imported(first));
  });
});

describe('beside a log of a later time', () => {
  const live = 'DayZServer_x64_2024-10-27_02-10-00.ADM';
  const start = `${header('2024-10-27 02:10:00')}${connected('02:10:30', idA)}`;
  const seen = async () => (await statsOf(db, idA))?.total_play_seconds;

  test.each([
    [
      'whose name and header are of the hour that autumn repeats',
      'DayZServer_x64_2024-10-27_02-50-00.ADM',
      '2024-10-27 02:50:00',
    ],
    ['whose name is years ahead', 'DayZServer_x64_2199-01-01_00-00-00.ADM', '2024-05-01 12:00:00'],
    ['whose header is years ahead', 'copy of an old one.ADM', '2199-01-01 00:00:00'],
  ])('%s, the log that grows is read at each poll', async (_, name, ahead) => {
    const other = join(folder, name);
    writeFileSync(other, header(ahead));
    await look();
    log = join(folder, live);
    writeFileSync(log, start);
    const changedAt = new Date(Date.now() - 60_000);
    utimesSync(other, changedAt, changedAt);
    await look();
    for (const minute of [20, 30, 40]) {
      // Nobody is on for a while, and files are checked that are not followed.
      await lookOften();
      await watch.importChanged(sources());
      await lookOften();
      appendFileSync(log, `02:${minute}:30 | Player "A"(id=${idA} pos=<1, 2, 3>) placed Fence\n`);
      await look();
      expect((await stored()).find(({ path }) => path === log)?.position).toBe(readFileSync(log).length);
    }
    appendFileSync(log, left('02:50:30', idA));
    await look();
    expect(await seen()).toBe(2400);
  });
});

describe('a file that changes under its name', () => {
  test('is read to its last line under its new name when it is rotated, and the new one from its start', async () => {
    writeFileSync(log, first);
    await look();
    appendFileSync(log, killed('12:20:00').trimEnd());
    const rotated = join(folder, 'DayZServer_x64_2024_05_01_120000123.ADM');
    renameSync(log, rotated);
    writeFileSync(log, second);
    const [outcome] = await look();
    expect(outcome?.report).toMatchObject({ runs: { new: 1 } });
    await lookOften();
    expect(await contents(db)).toEqual(await imported(first + killed('12:20:00').trimEnd(), second));
  });

  test.each([false, true])(
    'is noticed at once where nothing had its name at a poll after the rotation, also by another process (%s)',
    async (isOther) => {
      writeFileSync(log, first);
      await look();
      appendFileSync(log, killed('12:20:00'));
      utimesSync(log, new Date(), new Date(Date.now() + 1000));
      renameSync(log, join(folder, 'DayZServer_x64_2024_05_01_120000123.ADM'));
      if (isOther) watch = createSourceWatch(db);
      await look();
      writeFileSync(log, second);
      utimesSync(log, new Date(), new Date(Date.now() + 2000));
      await look();
      await look();
      expect(await contents(db)).toEqual(await imported(first + killed('12:20:00'), second));
    },
  );

  test('is read to its end when it was rotated while no process ran', async () => {
    writeFileSync(log, first);
    await look();
    watch = createSourceWatch(db);
    appendFileSync(log, killed('12:20:00'));
    renameSync(log, join(folder, 'old.ADM'));
    writeFileSync(log, second);
    await watch.importChanged(sources());
    await lookOften();
    expect(await contents(db)).toEqual(await imported(first + killed('12:20:00'), second));
  });

  test('begins a new run when it was emptied and begins with a header', async () => {
    writeFileSync(log, first + killed('12:20:00'));
    await look();
    truncateSync(log, 0);
    await look();
    appendFileSync(log, second.slice(0, 40));
    await look();
    appendFileSync(log, second.slice(40));
    await look();
    await look();
    expect(await contents(db)).toEqual(await imported(first + killed('12:20:00'), second));
  });

  test('goes on as a run of its own when it was emptied while the game was running, beside what its copy still has', async () => {
    writeFileSync(log, first);
    await look();
    appendFileSync(log, connected('12:10:00', idA));
    copyFileSync(log, join(folder, 'copy.ADM'));
    truncateSync(log, 0);
    await look();
    appendFileSync(log, killed('12:20:00'));
    await lookOften();
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1, total_play_seconds: 600 });
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 1, longest_life_seconds: 600 });
    expect(await db.selectFrom('log_run').select('id').execute()).toHaveLength(2);
  });

  test('counts a line that jitters back after the log was emptied', async () => {
    writeFileSync(log, first + killed('12:20:05'));
    await look();
    truncateSync(log, 0);
    await look();
    appendFileSync(log, killed('12:20:04') + killed('12:40:00'));
    utimesSync(log, new Date(), new Date('2024-05-01T12:40:00Z'));
    await lookOften();
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 3 });
  });

  test('keeps what it counted when another log of the same length has its header', async () => {
    writeFileSync(log, first + killed('12:20:00'));
    await look();
    const before = await statsOf(db, idB);
    const swapped = killed('12:20:00').replace(idB, 'x').replace(idA, idB).replace('x', idA);
    writeFileSync(join(folder, 'other.ADM'), first + swapped);
    await lookOften();
    expect(before).toMatchObject({ player_kills: 1 });
    expect(await statsOf(db, idB)).toEqual(before);
  });

  test.each(['', '12:30:00 | #####\n'])(
    'counts nothing twice when its start was cut off (%j)',
    async (end) => {
      writeFileSync(log, first + killed('12:20:00') + killed('12:30:00') + end);
      await look();
      await look();
      const before = await statsOf(db, idB);
      writeFileSync(log, killed('12:20:00') + killed('12:30:00') + end);
      utimesSync(log, new Date(), new Date('2024-05-01T12:30:00Z'));
      await lookOften();
      expect(await statsOf(db, idB)).toEqual(before);
      watch = createSourceWatch(db);
      await lookOften();
      expect(await statsOf(db, idB)).toEqual(before);
      appendFileSync(log, second);
      await lookOften();
      expect(await statsOf(db, idB)).toMatchObject({ player_kills: 3 });
    },
  );

  test('counts nothing twice while a share rewrites it from its start', async () => {
    const text = first + killed('12:20:00') + '12:30:00 | #####\n';
    writeFileSync(log, text);
    await look();
    await look();
    const before = await contents(db);
    writeFileSync(log, '');
    for (let at = 0; at < text.length; at += 40) {
      appendFileSync(log, text.slice(at, at + 40));
      await look();
    }
    await look();
    expect(await contents(db)).toEqual(before);
  });

  test('is read from its start when a log took its place in which the same player came first', async () => {
    const before = `${header('2024-05-01 12:00:00')}${connected('12:00:10', idA)}`;
    writeFileSync(log, before);
    await look();
    rmSync(log);
    writeFileSync(log, second);
    await look();
    const bytesOf = (text: string): number => text.length - text.indexOf('AdminLog');
    const runs = await db.selectFrom('log_run').select(['header', 'bytes']).orderBy('header').execute();
    expect(runs).toEqual([
      { header: '2024-05-01 12:00:00', bytes: bytesOf(before) },
      { header: '2024-05-01 16:00:00', bytes: bytesOf(second) },
    ]);
  });

  test('is read from its start when a longer log took its place', async () => {
    writeFileSync(log, first);
    await look();
    const next = join(folder, 'next.tmp');
    writeFileSync(next, second + '16:20:00 | #####\n'.repeat(100));
    renameSync(next, log);
    await look();
    await look();
    expect(await contents(db)).toEqual(await imported(first, readFileSync(log)));
  });

  test('has what another process imports of it counted once, longer or shorter than what was read', async () => {
    writeFileSync(log, first);
    await look();
    appendFileSync(log, killed('12:20:00'));
    await importLogs(db, { serverId: 's', files: [log] });
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
    await look();
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
    appendFileSync(log, killed('12:21:00'));
    await look();
    const longer = join(temporaryFolder(), 'x.ADM');
    writeFileSync(longer, first + ['12:20:00', '12:21:00', '12:22:00', '12:23:00'].map(killed).join(''));
    await importLogs(db, { serverId: 's', files: [longer] });
    appendFileSync(log, killed('12:22:00'));
    await look();
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 4 });
    appendFileSync(log, killed('12:23:00'));
    await look();
    const shorter = join(temporaryFolder(), 'x.ADM');
    writeFileSync(shorter, first);
    await importLogs(db, { serverId: 's', files: [shorter] });
    await look();
    expect(await contents(db)).toEqual(await imported(readFileSync(longer)));
  });
});

test('a run whose time zone is corrected is read again, and its times are right', async () => {
  writeFileSync(log, first);
  await look();
  appendFileSync(log, killed('12:20:00'));
  await look();
  await db.updateTable('server').set({ timezone: 'Asia/Tokyo' }).execute();
  appendFileSync(log, killed('12:40:00'));
  await look();
  const [{ started_at } = {}] = await db.selectFrom('log_run').select('started_at').execute();
  expect(started_at).toBe(Date.parse('2024-05-01T12:00:00+09:00'));
  await look();
  expect(await statsOf(db, idB)).toMatchObject({ player_kills: 2, total_play_seconds: 2400 });
});

describe('who is who', () => {
  test('the .RPT may identify a player at any time; later counts join earlier ones', async () => {
    const old = `12:00:00 | Player "A"(id=${steamA}) has been killed by player "B"(id=76561198207985320)\n`;
    writeFileSync(log, run(killed('12:00:00').trim()) + old);
    await look();
    writeFileSync(join(folder, 'x.RPT'), `12:00:00.100 Player "A"(steamID=${steamA}) is connected\n`);
    await look();
    appendFileSync(log, killed('12:20:00'));
    await look();
    await look();
    const rpt = await imported(run(killed('12:00:00').trim()) + old + killed('12:20:00'));
    const { stats } = (await contents(db)) as { stats: unknown };
    expect({ stats }).toEqual({ stats: (rpt as { stats: unknown }).stats });
  });
});

describe('a folder that is away', () => {
  test('is reported once, and once more when it is back; nothing is lost', async () => {
    writeFileSync(log, first);
    await look();
    const away = `${folder}-away`;
    renameSync(folder, away);
    expect(await look()).toMatchObject([{ kind: 'logs', error: 'no such file' }]);
    for (let i = 0; i < 5; i++) expect(await look()).toEqual([]);
    expect(await watch.importChanged(sources())).toEqual([]);
    appendFileSync(join(away, 'DayZServer_x64.ADM'), killed('12:20:00'));
    renameSync(away, folder);
    expect(await look()).toMatchObject([{ recovered: true, report: { runs: { longer: 1 } } }]);
    await look();
    expect(await contents(db)).toEqual(await imported(first + killed('12:20:00')));
    expect(await db.selectFrom('source_state').select('error').execute()).toEqual([{ error: null }]);
  });

  test('and of which an empty one is left is not forgotten', async () => {
    writeFileSync(log, first);
    await look();
    const text = readFileSync(log);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect(await watch.importChanged(sources())).toMatchObject([
      { error: expect.stringContaining('no longer contains a log') },
    ]);
    expect(await stored()).toHaveLength(1);
    writeFileSync(log, text);
    appendFileSync(log, killed('12:20:00'));
    await watch.importChanged(sources());
    await look();
    expect(await contents(db)).toEqual(await imported(first + killed('12:20:00')));
  });
});

test('a log that takes the place of another one has only unread lines of its own', async () => {
  const unread = async () => (await stored()).map(({ unread_lines }) => unread_lines);
  writeFileSync(log, `${header('2024-05-01 12:00:00')}12:00:01 | [Mod] one\n12:00:02 | [Mod] two\n`);
  await look();
  expect(await unread()).toEqual([2]);
  writeFileSync(
    log,
    `${header('2024-05-02 12:00:00')}12:00:01 | [Other] one\n12:00:02 | [Mod] ${'#'.repeat(80)}\n12:00:03 | [Mod] 3\n`,
  );
  await look();
  expect(await unread()).toEqual([3]);
});

/** The files of this machine as at a host without identities. */
function hostOf(traits: { shiftMs: number; onRead(path: string): void }): Files {
  const there = (stat: FileStat): FileStat => ({
    ...stat,
    identity: null,
    changedAt: (stat.changedAt ?? 0) + traits.shiftMs,
  });
  const port: FileAccess = {
    ...directFiles,
    stat: async (path) => there(await directFiles.stat(path)),
    list: async (at, wanted) =>
      (await directFiles.list(at, wanted)).map(({ name, stat }) => ({ name, stat: stat && there(stat) })),
    read: async (path, ranges) => {
      traits.onRead(path);
      const { stat, parts } = await directFiles.read(path, ranges);
      return { stat: there(stat), parts };
    },
  };
  return { of: () => port };
}

test('what was written before a folder could be listed is read as soon as it can', async () => {
  writeFileSync(log, first);
  await look();
  appendFileSync(log, killed('12:20:00'));
  // A process that starts while a share is away.
  let isAway = true;
  const list: FileAccess['list'] = async (at, wanted) => {
    if (isAway) throw new FileError({ code: 'EREMOTE', message: 'is away' });
    return await directFiles.list(at, wanted);
  };
  watch = createSourceWatch(db, { files: { of: () => ({ ...directFiles, list }) } });
  expect(await look()).toMatchObject([{ error: expect.stringContaining('is away') }]);
  isAway = false;
  await look();
  expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
});

test('a log that names nobody is read once until it changes', async () => {
  let reads = 0;
  watch = createSourceWatch(db, { files: hostOf({ shiftMs: 0, onRead: () => (reads += 1) }) });
  writeFileSync(log, '12:00:00 | #####\n12:00:01 | [Mod] starts\n');
  await look();
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  await lookOften();
  expect(reads).toBe(0);
  appendFileSync(log, killed('12:00:02'));
  await look();
  expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
});

test('a log that grew between its listing and its reading is known as read to its end', async () => {
  let late = killed('12:20:00');
  const onRead = (): void => {
    appendFileSync(log, late);
    late = '';
  };
  watch = createSourceWatch(db, { files: hostOf({ shiftMs: 0, onRead }) });
  writeFileSync(log, first);
  await lookOften();
  expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1 });
  const size = readFileSync(log).length;
  expect(await db.selectFrom('log_file').select(['position', 'stamp']).execute()).toEqual([
    { position: size, stamp: expect.stringMatching(new RegExp(`^${size} `)) },
  ]);
});

test('a log whose time alone has shifted is compared once', async () => {
  const opened: string[] = [];
  const traits = { shiftMs: 0, onRead: (path: string) => opened.push(path) };
  watch = createSourceWatch(db, { files: hostOf(traits) });
  const old = join(folder, 'DayZServer_x64_2024-05-01_12-00-00.ADM');
  writeFileSync(old, first);
  utimesSync(old, 1_700_000_000, 1_700_000_000);
  writeFileSync(log, second);
  await look();
  traits.shiftMs = 3_600_000;
  opened.length = 0;
  await watch.importChanged(sources());
  expect(opened.filter((path) => path === old)).toHaveLength(1);
  await watch.importChanged(sources());
  expect(opened.filter((path) => path === old)).toHaveLength(1);
});

test('a folder of which no file can be read is reported by the first of them', async () => {
  const files = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => join(folder, `${i}.ADM`));
  for (const file of files) mkdirSync(file);
  const [outcome] = await look();
  const problems = files.slice(0, 5).map((file) => `${file}: is a folder, a file was expected`);
  expect(outcome?.error).toBe(`${problems.join('; ')}; and 4 more`);
});

test('a server that began as a copy of another one does not count the logs that came with it', async () => {
  db = await temporaryStore(['s', 't']);
  watch = createSourceWatch(db);
  const old = first + killed('12:20:00');
  writeFileSync(log, old);
  await look();
  const copy = temporaryFolder();
  writeFileSync(join(copy, 'DayZServer_x64_2024-05-01_12-00-00.ADM'), old);
  writeFileSync(join(copy, 'DayZServer_x64_2024-05-02_12-00-00.ADM'), second);
  const servers = [...sources().servers, { id: 't', logs: copy }];
  expect(await watch.followOn({ servers, banlists: [] })).toMatchObject([
    { id: 't', report: { remarks: [expect.stringMatching(/^1 run is left out, .* "s" already has/)] } },
  ]);
  expect(await db.selectFrom('log_run').select(['server_id', 'header']).execute()).toEqual([
    { server_id: 's', header: '2024-05-01 12:00:00' },
    { server_id: 't', header: '2024-05-01 16:00:00' },
  ]);
  expect(await statsOf(db, idB)).toMatchObject({ player_kills: 2 });
});

test('logs that are left out are named though the host is away soon after', async () => {
  db = await temporaryStore(['s', 't']);
  watch = createSourceWatch(db);
  writeFileSync(log, first);
  await look();
  const copy = temporaryFolder();
  const old = join(copy, 'DayZServer_x64_2024-05-01_12-00-00.ADM');
  writeFileSync(old, first);
  for (const day of [2, 3, 4, 5])
    writeFileSync(join(copy, `DayZServer_x64_2024-05-0${day}_12-00-00.ADM`), second);
  const onRead = (path: string): void => {
    if (path !== old) throw new FileError({ code: 'EREMOTE', message: 'is away' });
  };
  watch = createSourceWatch(db, { files: hostOf({ shiftMs: 0, onRead }) });
  expect(await watch.followOn({ servers: [{ id: 't', logs: copy }], banlists: [] })).toMatchObject([
    { id: 't', report: { remarks: [expect.stringMatching(/^1 run is left out/)] } },
  ]);
});

test('a rotated log is finished though its time is the new one’s to the tick, as on a coarse file system', async () => {
  writeFileSync(log, first);
  await look();
  const rotated = join(folder, 'DayZServer_x64_2024-05-01_12-00-00.ADM');
  renameSync(log, rotated);
  writeFileSync(log, second);
  const moment = new Date(1_714_579_200_000);
  for (const path of [log, rotated]) utimesSync(path, moment, moment);
  watch = createSourceWatch(db);
  await lookOften();
  // The rotated one is told from a live log: nobody is on by it.
  const roster = await db.selectFrom('roster').select('header').execute();
  expect(roster).toEqual([{ header: '2024-05-01 16:00:00' }]);
});

test('the only log of its kind is followed on, however long it was quiet', async () => {
  const rpt = join(folder, 'DayZServer_x64_2024-05-01_12-00-00.RPT');
  const identity = (time: string, name: string, id: string) =>
    `${time}.100 Player "${name}"(steamID=${id}) is connected\n`;
  const half = identity('13:00:00', 'B', steamB).slice(0, 30);
  writeFileSync(rpt, `Current time:  2024/05/01 12:00:00\n${identity('12:00:01', 'A', steamA)}${half}`);
  await lookOften();
  appendFileSync(rpt, identity('13:00:00', 'B', steamB).slice(30));
  await look();
  const players = await db.selectFrom('player').select('steam_id64').orderBy('id').execute();
  expect(players.map((player) => player.steam_id64)).toEqual([steamA, steamB]);
});

describe('a copy in UTF-16, as PowerShell makes it', () => {
  const encodings = {
    'little-endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    'big-endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  };
  const text = `${first}${killed('12:05:00')}${left('12:10:00', idA, 'Игрок 😀')}`.replaceAll('\n', '\r\n');

  test.each(Object.entries(encodings))(
    '%s: is read, and is the same run as the log itself',
    async (_, encode) => {
      const other = await temporaryStore();
      const [plain, copy] = temporaryFiles({ 'a.ADM': text, 'b.ADM': encode(text) }) as [string, string];
      await importLogs(other, { serverId: 's', files: [plain] });
      const before = await contents(other);
      const { runs } = await importLogs(other, { serverId: 's', files: [copy] });
      expect(runs).toMatchObject({ known: 1, diverged: 0, longer: 0 });
      expect(await contents(other)).toEqual(before);
    },
  );

  test.each(Object.entries(encodings))(
    '%s: counts alike when it grows by pieces of bytes',
    async (_, encode) => {
      const bytes = encode(text);
      for (const at of [1, 2, 3, 200, 201, 333, 500, bytes.length]) {
        writeFileSync(log, bytes.subarray(0, at));
        await look();
      }
      await lookOften();
      expect(await contents(db)).toEqual(await imported(text));
    },
  );

  test('of a log of identities names the players', async () => {
    const line = ` 1:02:03.4 Player "Игрок"(steamID=${steamA}) is connected\r\n`;
    writeFileSync(join(folder, 'a.RPT'), encodings['little-endian'](line.repeat(3)));
    await look();
    expect(await db.selectFrom('player').select(['steam_id64', 'name']).execute()).toEqual([
      { steam_id64: steamA, name: 'Игрок' },
    ]);
  });

  test('with a line of 10 MiB has it skipped, and what follows it read', async () => {
    const long = `${first}12:04:00 | ${'x'.repeat(10 * 1024 * 1024)}\n${left('12:10:00', idA)}`;
    writeFileSync(log, encodings['little-endian'](long));
    await look();
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 600 });
  });
});

describe('the lines that sources show', () => {
  const rpt = (name: string) =>
    `Current time:  2024/05/01 12:00:00\n12:01:00.5 Player "${name}" is connected (steamID=${steamA})\n`;
  const linesShown = async () =>
    (
      await db
        .selectFrom('log_file')
        .select(({ fn }) => fn.sum<number>('lines').as('lines'))
        .executeTakeFirstOrThrow()
    ).lines;
  const linesThere = () =>
    readdirSync(folder).reduce((sum, name) => sum + adminLines(readFileSync(join(folder, name), 'utf8')), 0);
  /** What stands before a run's header is not part of it. */
  const adminLines = (text: string): number => text.split('\n').length - 1;

  for (const isKilled of [false, true]) {
    test(`are those of the files that are there, after a rename${isKilled ? ' while no process ran' : ''}`, async () => {
      const console = join(folder, 'serverconsole.log');
      const report = join(folder, 'DayZServer_x64.RPT');
      writeFileSync(log, first);
      writeFileSync(console, rpt('A'));
      writeFileSync(report, rpt('B'));
      await watch.importChanged(sources());
      expect(await linesShown()).toBe(linesThere());
      for (const name of [log, console, report]) renameSync(name, name.replace(/(\.\w+)$/, '_2024$1'));
      writeFileSync(log, second);
      writeFileSync(console, rpt('C') + rpt('D'));
      writeFileSync(report, rpt('E') + rpt('F'));
      if (isKilled) watch = createSourceWatch(db);
      for (let i = 0; i < 8; i++) await watch.importChanged(sources());
      expect(await linesShown()).toBe(linesThere());
    });
  }

  test('are those of the file that took another one’s place', async () => {
    writeFileSync(log, first);
    await watch.importChanged(sources());
    writeFileSync(log, second);
    const news = [await look(), await look()].flat();
    expect(await linesShown()).toBe(linesThere());
    const lines = news.map(({ report }) => (report as { lines: number } | undefined)?.lines ?? 0);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBe(adminLines(second));
  });
});

describe('sessions that go on', () => {
  test.each([-24, -1, 1, 24])(
    'are counted every half minute of a busy log when the wall clock is set by %i h',
    async (hours) => {
      const clock = createTestClock();
      watch = createSourceWatch(db, { clock });
      // Few are counted at once.
      const others = Array.from({ length: 8 }, (_, at) =>
        connected('12:00:00', `${at}`.padEnd(43, 'x') + '=', `${at}`),
      );
      writeFileSync(log, first + others.join(''));
      await look();
      clock.step(hours * 3_600_000);
      clock.advance(29_000);
      appendFileSync(log, connected('12:10:00', idC, 'C'));
      await look();
      expect((await statsOf(db, idA))?.total_play_seconds).toBe(0);
      clock.advance(1_000);
      appendFileSync(log, left('12:20:00', idC, 'C'));
      await look();
      expect((await statsOf(db, idA))?.total_play_seconds).toBe(20 * 60);
    },
  );
});
