import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import {
  contents,
  header,
  idA,
  run,
  sampleLogs,
  samples,
  statsOf,
  steamA,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../fixture.ts';
import { importLogs } from '../../../harness/logs.ts';
import { onPostgres } from '../../../harness/new-store.ts';

const connected = `12:00:00 | Player "A"(id=${idA}) is connected`;
const disconnected = `12:10:00 | Player "A"(id=${idA}) has been disconnected`;

describe('importing again', () => {
  test('the same files, in another order and under other names, change nothing', async () => {
    const db = await temporaryStore(['server-d']);
    await importLogs(db, { serverId: 'server-d', files: sampleLogs('server-d') });
    const before = await contents(db);
    const folder = temporaryFolder();
    const copies = sampleLogs('server-d')
      .toReversed()
      .map((path, i) => {
        const copy = join(folder, `copy-${i}.ADM`);
        copyFileSync(path, copy);
        return copy;
      });
    const report = await importLogs(db, { serverId: 'server-d', files: copies });
    expect(report.runs).toEqual({ new: 0, longer: 0, known: 84, diverged: 0 });
    expect(await contents(db)).toEqual(before);
  });

  test('a copy with Windows line ends and a byte order mark is the same run', async () => {
    const db = await temporaryStore();
    const text = run(connected, disconnected);
    const [plain, windows] = temporaryFiles({
      'a.ADM': text,
      'b.ADM': `\uFEFF${text.replaceAll('\n', '\r\n')}`,
    }) as [string, string];
    await importLogs(db, { serverId: 's', files: [plain] });
    const before = await contents(db);
    const report = await importLogs(db, { serverId: 's', files: [windows] });
    expect(report.runs.known).toBe(1);
    expect(await contents(db)).toEqual(before);
    const alone = await temporaryStore();
    expect((await importLogs(alone, { serverId: 's', files: [windows] })).unreadLines).toBe(0);
  });

  test('a log that has grown, cut anywhere, replaces what was known; a shorter copy then changes nothing', async () => {
    const whole = readFileSync(sampleLogs('server-b')[0] as string);
    const at = await temporaryStore(['server-b']);
    const folder = temporaryFolder();
    const path = join(folder, 'x.ADM');
    writeFileSync(path, whole);
    await importLogs(at, { serverId: 'server-b', files: [path] });
    const expected = await contents(at);
    const db = await temporaryStore(['server-b']);
    for (const cut of [150, 5_000, 5_017, 40_000, 70_001, whole.length]) {
      writeFileSync(path, whole.subarray(0, cut));
      const report = await importLogs(db, { serverId: 'server-b', files: [path] });
      expect(report.runs).toMatchObject({ diverged: 0, known: 0 });
    }
    expect(await contents(db)).toEqual(expected);
    writeFileSync(path, whole.subarray(0, 30_000));
    expect((await importLogs(db, { serverId: 'server-b', files: [path] })).runs.known).toBe(1);
    expect(await contents(db)).toEqual(expected);
  });

  test('two different logs under one header: the longer one is kept, and it is said', async () => {
    const short = run(connected, disconnected);
    const long = run(connected, `12:20:00 | Player "A"(id=${idA}) has been disconnected`, '12:30:00 | #####');
    for (const order of [
      [short, long],
      [long, short],
    ] as const) {
      const db = await temporaryStore();
      const reports = [];
      for (const text of order) {
        reports.push(await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) }));
      }
      expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 1200 });
      if (order[0] === short) expect(reports[1]?.runs.diverged).toBe(1);
    }
  });

  test('two different logs under one header make the same players known, in either order', async () => {
    const folder = temporaryFolder();
    const short = join(folder, 'short.ADM');
    const long = join(folder, 'long.ADM');
    writeFileSync(short, run(`12:00:00 | Player "Early"(id=${idA}) is connected`));
    writeFileSync(long, run(...[5, 6, 7].map((i) => `12:0${i}:00 | Player "Late"(id=${idA}) is connected`)));
    const stores = [];
    for (const order of [
      [short, long],
      [long, short],
      [long, short, long],
    ]) {
      const db = await temporaryStore();
      for (const file of order) await importLogs(db, { serverId: 's', files: [file] });
      stores.push(await contents(db));
    }
    expect(stores[1]).toEqual(stores[0]);
    expect(stores[2]).toEqual(stores[0]);
    expect(JSON.stringify(stores[0])).toContain('Early');
  });

  test('one file with the same run twice counts it once', async () => {
    const db = await temporaryStore();
    const text = run(connected, disconnected);
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text + text }) });
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 600 });
  });
});

describe('files that are no good', () => {
  const bad: [string, string | Uint8Array, RegExp][] = [
    [
      'a text without a header',
      'hello\nworld\n',
      /x\.ADM: is not a DayZ admin log: no line "AdminLog started on/,
    ],
    [
      'something binary',
      Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256),
      /is not a DayZ admin log/,
    ],
    ['a header of a far future', 'AdminLog started on 9999-12-31 at 23:59:00\n', /is not a DayZ admin log/],
    ['a header with no real date', 'AdminLog started on 2024-02-31 at 12:00:00\n', /is not a DayZ admin log/],
  ];
  test.each(bad)('%s is refused and nothing is written', async (_, content, message) => {
    const db = await temporaryStore();
    const before = await contents(db);
    const report = await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': content }) });
    expect(report.failures).toEqual([{ file: expect.any(String), message: expect.stringMatching(message) }]);
    expect(await contents(db)).toEqual(before);
  });

  test('a missing file, a folder and an unreadable file are named, and the others are imported', async () => {
    const db = await temporaryStore();
    const [good, locked] = temporaryFiles({
      'x.ADM': run(connected, disconnected),
      'y.ADM': run(connected),
    }) as [string, string];
    const folder = join(temporaryFolder(), 'z.ADM');
    mkdirSync(folder);
    chmodSync(locked, 0);
    const files = [join(folder, 'nothing.ADM'), folder, good, ...(process.getuid?.() === 0 ? [] : [locked])];
    const report = await importLogs(db, { serverId: 's', files });
    expect(report.failures.map(({ message }) => message)).toEqual([
      `${join(folder, 'nothing.ADM')}: no such file`,
      `${folder}: is a folder, a file was expected`,
      ...(process.getuid?.() === 0 ? [] : [`${locked}: may not be read: no permission`]),
    ]);
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 600 });
  });

  test('a packed log is refused with what to do, also where it holds the log as it is', async () => {
    const db = await temporaryStore();
    const files = temporaryFiles({ 'logs.zip': run(connected, disconnected), 'x.ADM.gz': 'packed' });
    const { failures } = await importLogs(db, { serverId: 's', files });
    expect(failures.map(({ message }) => message)).toEqual(
      files.map((file) => `${file}: is packed; unpack it, and import what was in it`),
    );
    expect(await db.selectFrom('log_run').selectAll().execute()).toEqual([]);
  });

  test('an empty file and a log about to begin are no errors', async () => {
    const db = await temporaryStore();
    const files = temporaryFiles({ 'a.ADM': '', 'b.ADM': `\n\n${'*'.repeat(78)}\n` });
    const report = await importLogs(db, { serverId: 's', files });
    expect(report.failures).toEqual([]);
    expect(report.files.map(({ kind }) => kind)).toEqual(['empty', 'empty']);
  });

  test('a file that became another one after it was listed is refused', async () => {
    const db = await temporaryStore();
    const other = header('2024-05-02 12:00:00');
    const files = temporaryFiles({ 'a.ADM': run(connected, disconnected), 'b.ADM': other });
    await importLogs(db, { serverId: 's', files });
    const [, changed] = files as [string, string];
    const report = await importLogs(db, {
      serverId: 's',
      files,
      onProgress: () => writeFileSync(changed, 'something else\n'),
    });
    expect(report.failures).toMatchObject([{ file: changed }]);
  });

  test('a store that cannot be written is an error, also of an import that is stopped', async () => {
    const db = await temporaryStore();
    const stop = new AbortController();
    const refuse = onPostgres
      ? `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON log_run EXECUTE FUNCTION refuse()`
      : `CREATE TRIGGER refuse BEFORE INSERT ON log_run BEGIN SELECT RAISE(ABORT, 'full'); END`;
    await sql.raw(refuse).execute(db);
    const lines = Array.from({ length: 600 }, (_, i) => {
      const id = `${createHash('sha256').update(String(i)).digest('base64url')}=`;
      return `12:00:00 | Player "A"(id=${id}) is connected`;
    });
    const files = temporaryFiles({ 'x.ADM': run(...lines) });
    const transaction = db.transaction.bind(db);
    vi.spyOn(db, 'transaction').mockImplementation(() => {
      stop.abort();
      return transaction();
    });
    const importing = importLogs(db, { serverId: 's', files, signal: stop.signal });
    await expect(importing).rejects.toThrow('full');
  });

  test('an unknown server is an error', async () => {
    const db = await temporaryStore();
    await expect(importLogs(db, { serverId: 'nowhere', files: [] })).rejects.toThrow('no server "nowhere"');
  });
});

describe('lines that are no good', () => {
  test('are counted and skipped', async () => {
    const db = await temporaryStore();
    const text = run(
      connected,
      'no time at all',
      '99:99:99 | Player "A" (id=x)',
      '12:05:00 | Player "A"',
      '12:05:00 | Player "A" (id=nonsense) is connected',
      '12:05:00 | a line of some mod',
      disconnected,
    );
    const report = await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    expect(report).toMatchObject({ unreadLines: 5, failures: [] });
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 600 });
  });

  test('are not counted where they go on with a line of a mod that is understood', async () => {
    const text = run(
      connected,
      `12:01:00 | [COT] ${steamA}: Spawned Truck`,
      ' (Truck<1a2b>, 1, 2) at <1, 2, 3>',
      ' and more of it',
      '12:02:00 | A line of some other mod',
      ' {"json": 1}',
      disconnected,
    );
    const [path] = temporaryFiles({ 'x.ADM': text }) as [string];
    const { unreadLines } = await importLogs(await temporaryStore(), { serverId: 's', files: [path] });
    expect(unreadLines).toBe(2);
  });
});

test('a name that the game cut inside of a character is readable in the store', async () => {
  const db = await temporaryStore();
  const [before, after] = run(`12:00:00 | Player "@"(id=${idA}) is connected`).split('@');
  const name = Buffer.from('Вася Пупкин').subarray(0, -1);
  const bytes = Buffer.concat([Buffer.from(before as string), name, Buffer.from(after as string)]);
  await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': bytes }) });
  expect(await db.selectFrom('player_alias').select('name').execute()).toEqual([{ name: 'Вася Пупки' }]);
});

describe('who is who', () => {
  test('an .RPT beside the log gives its players their SteamID64s and BattlEye GUIDs', async () => {
    const db = await temporaryStore(['server-b'], 'Europe/Berlin');
    const report = await importLogs(db, { serverId: 'server-b', files: sampleLogs('server-b') });
    expect(report.files.map(({ kind }) => kind)).toEqual([
      'admin-log',
      'admin-log',
      'identities',
      'identities',
    ]);
    const players = await db.selectFrom('player').selectAll().execute();
    expect(players.filter((player) => player.steam_id64 !== null).length).toBeGreaterThan(80);
    expect(players.find((player) => player.name === 'Zvx Fotuc')).toMatchObject({
      steam_id64: '76561202173938964',
      dayz_id: '9y6mG_tGTSAHE91cI47haArNQ3A4HAXWlF1jT8zbx8E=',
      battleye_guid: '5e3d8f5fb404fd78000ed6c9f3f4af10',
    });
    // BattlEye's own lines agree with what is derived: no GUID is left without its SteamID64.
    expect(players.filter((player) => player.steam_id64 === null && player.battleye_guid !== null)).toEqual(
      [],
    );
  });

  test('the forms since 1.26 and serverconsole.log are read, in either order with the log', async () => {
    const adm = join(samples, 'server-c', 'DayZServer_x64.ADM');
    const others = ['serverconsole.log', 'DayZServer_x64_2024-11-04_12-00-09.RPT'].map((name) =>
      join(samples, 'server-c', name),
    );
    const seen = [];
    for (const files of [[adm], [...others, adm]]) {
      const db = await temporaryStore(['server-c'], 'Europe/Berlin');
      for (const file of files) {
        await importLogs(db, { serverId: 'server-c', files: [file], beside: files.length === 1 });
      }
      seen.push(await contents(db));
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(JSON.stringify(seen[0])).toContain('76561202161006208');
  });

  test('mod lines in the log name SteamID64s; a chat that imitates two of them names none', async () => {
    const db = await temporaryStore();
    const text = run(
      connected,
      `12:01:00 | [COT] ${steamA}: did something [guid=${idA}]`,
      '12:02:00 | x [steam64: 76561197960265728;] y [steam64: 76561197960265729;] <1, 2, 3> placed',
    );
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    expect(await db.selectFrom('player').select(['steam_id64', 'dayz_id']).execute()).toEqual([
      { steam_id64: steamA, dayz_id: idA },
    ]);
  });

  test('names are kept with when they were used, the latest is the name', async () => {
    const named = (day: string, name: string) =>
      `${header(`${day} 12:00:00`)}12:00:00 | Player "${name}"(id=${idA}) is connected\n12:30:00 | Player "${name}"(id=${idA}) has been disconnected\n`;
    for (const days of [
      ['2024-05-01', '2024-05-02'],
      ['2024-05-02', '2024-05-01'],
    ]) {
      const db = await temporaryStore();
      for (const day of days) {
        const text = named(day, day === '2024-05-02' ? 'New' : 'Old');
        await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
      }
      const first = Date.UTC(2024, 4, 1, 12);
      const last = Date.UTC(2024, 4, 2, 12, 30);
      expect(
        await db.selectFrom('player').select(['name', 'first_seen_at', 'last_seen_at']).execute(),
      ).toEqual([{ name: 'New', first_seen_at: first, last_seen_at: last }]);
      expect(
        await db
          .selectFrom('player_alias')
          .select(['name', 'first_seen_at', 'last_seen_at'])
          .orderBy('name')
          .execute(),
      ).toEqual([
        { name: 'New', first_seen_at: Date.UTC(2024, 4, 2, 12), last_seen_at: last },
        { name: 'Old', first_seen_at: first, last_seen_at: Date.UTC(2024, 4, 1, 12, 30) },
      ]);
    }
  });
});

test('progress counts up to all bytes', async () => {
  const db = await temporaryStore(['server-a'], 'Europe/Berlin');
  const seen: number[] = [];
  let total = 0;
  const report = await importLogs(db, {
    serverId: 'server-a',
    files: sampleLogs('server-a'),
    onProgress: ({ bytesDone, bytesTotal }) => {
      seen.push(bytesDone);
      total = bytesTotal;
    },
  });
  expect(seen.at(-1)).toBe(total);
  expect(report.files).toHaveLength(61);
});
