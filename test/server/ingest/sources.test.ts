import { appendFileSync, copyFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listBanLists } from '../../../src/server/store/repositories/bans/ban-lists.ts';
import { addBan } from '../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../src/server/ingest/bans/import.ts';
import {
  header,
  idA,
  idB,
  run,
  samples,
  statsOf,
  steamB,
  steamC,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from './fixture.ts';
import { overviewOfSources } from '../../../src/server/ingest/source-overview.ts';
import { createSourceWatch, importLogs, sourcesOf } from '../../harness/logs.ts';

test('what has changed since the last poll is imported, the rest is left alone', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const log = join(folder, 'DayZServer_x64.ADM');
  const bans = join(folder, 'ban.txt');
  const playersDb = join(folder, 'players.db');
  writeFileSync(log, run(`12:00:00 | Player "A"(id=${idA}) is connected`));
  writeFileSync(join(folder, 'notes.txt'), 'not a log');
  writeFileSync(join(folder, 'x.RPT'), `12:00:00.100 Player "B"(steamID=${steamB}) is connected\n`);
  writeFileSync(bans, `${idA}\n`);
  copyFileSync(join(samples, 'server-c', 'players.db'), playersDb);
  const sources = {
    servers: [{ id: 's', logs: folder, playersDb }],
    banlists: [{ id: 'bans', sources: [{ file: bans, format: 'dayz' as const }] }],
  };
  const watch = createSourceWatch(db);

  const first = await watch.importChanged(sources);
  expect(first).toMatchObject([
    { kind: 'logs', id: 's', path: folder, report: { runs: { new: 1 } } },
    { kind: 'playersDb', report: { characters: 4 } },
    { kind: 'bans', id: 'bans', report: { added: 1 } },
  ]);
  expect(first.filter((outcome) => outcome.error !== undefined)).toEqual([]);
  expect(
    await db.selectFrom('player').select('name').where('steam_id64', '=', steamB).execute(),
  ).toHaveLength(1);
  expect(await watch.importChanged(sources)).toEqual([]);

  appendFileSync(log, `12:01:00 | Player "A"(id=${idA}) has been disconnected\n`);
  writeFileSync(bans, '// nobody\n');
  utimesSync(bans, 1, 1);
  expect(await watch.importChanged(sources)).toMatchObject([
    { kind: 'logs', report: { runs: { longer: 1 } } },
  ]);
  expect(await watch.followOn(sources)).toMatchObject([{ kind: 'bans', report: { lifted: 1 } }]);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 60 });
});

test('a source that cannot be read is reported once, delays no other, and is read when it is back', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const log = join(folder, 'a.ADM');
  const broken = join(folder, 'b.ADM');
  writeFileSync(log, run(`12:00:00 | Player "A"(id=${idA}) is connected`));
  writeFileSync(broken, 'no log');
  const missing = join(folder, 'players.db');
  const sources = {
    servers: [{ id: 's', logs: folder, playersDb: missing }],
    banlists: [{ id: 'nobody', sources: [{ file: log, format: 'battleye' as const }] }],
  };
  const watch = createSourceWatch(db);
  expect(await watch.importChanged(sources)).toMatchObject([
    {
      kind: 'logs',
      report: { runs: { new: 1 } },
      error: expect.stringContaining('b.ADM: is not a DayZ admin log'),
    },
    { kind: 'playersDb', path: missing, error: 'no such file' },
    {
      kind: 'bans',
      id: 'nobody',
      error: 'no ban list "nobody" is in use: expected one of bans',
    },
  ]);
  expect(await watch.importChanged(sources)).toEqual([]);

  rmSync(broken);
  copyFileSync(join(samples, 'server-c', 'players.db'), missing);
  appendFileSync(log, `12:01:00 | Player "A"(id=${idA}) has been disconnected\n`);
  expect(await watch.importChanged(sources)).toMatchObject([
    { kind: 'logs', report: { runs: { longer: 1 } } },
    { kind: 'playersDb', report: { characters: 4 } },
  ]);
});

test('a missing folder of logs is reported once and loses nothing', async () => {
  const db = await temporaryStore();
  const watch = createSourceWatch(db);
  const sources = { servers: [{ id: 's', logs: join(temporaryFolder(), 'share') }], banlists: [] };
  expect(await watch.importChanged(sources)).toMatchObject([{ kind: 'logs', error: 'no such file' }]);
  expect(await watch.importChanged(sources)).toEqual([]);
});

const logOf = (time: string, id: string) =>
  run(`${time} | Player "A"(id=${id}) is connected`).replace('12:00:00', time);

test('after a restart the logs that were read are not read again, what changed meanwhile is', async () => {
  const db = await temporaryStore(['s', 't']);
  const folder = temporaryFolder();
  const old = join(folder, 'old.ADM');
  const running = join(folder, 'running.ADM');
  writeFileSync(old, logOf('10:00:00', idA));
  writeFileSync(running, logOf('12:00:00', idA));
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  expect(await createSourceWatch(db).importChanged(sources)).toMatchObject([
    { report: { runs: { new: 2 } } },
  ]);
  expect(await createSourceWatch(db).importChanged(sources)).toEqual([]);

  appendFileSync(running, `12:01:00 | Player "A"(id=${idA}) has been disconnected\n`);
  expect(await createSourceWatch(db).importChanged(sources)).toMatchObject([
    { report: { runs: { new: 0, longer: 1, known: 0 } } },
  ]);
  // What was read for one server was not read for another, which gets no run that the first one has.
  const both = { ...sources, servers: [...sources.servers, { id: 't', logs: folder }] };
  expect(await createSourceWatch(db).importChanged(both)).toMatchObject([
    { id: 't', report: { lines: 11, runs: { new: 1 } } },
  ]);
  rmSync(old);
  expect(await createSourceWatch(db).importChanged(both)).toEqual([]);
  expect(await db.selectFrom('log_file').select('path').distinct().execute()).toEqual([{ path: running }]);
});

test('a log that could not be read is read as soon as it can be, though it did not change', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const log = join(folder, 'x.ADM');
  writeFileSync(log, 'no log'.padEnd(400));
  utimesSync(log, 1000, 1000);
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  const watch = createSourceWatch(db);
  expect(await watch.importChanged(sources)).toMatchObject([{ error: expect.stringContaining('x.ADM') }]);
  writeFileSync(log, logOf('12:00:00', idA).padEnd(400));
  utimesSync(log, 1000, 1000);
  expect(await watch.importChanged(sources)).toMatchObject([{ report: { runs: { new: 1 } } }]);
});

test('an import that is stopped inside a file takes nothing of it, keeps the files before, and continues later', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const long = `${logOf('12:00:00', idB)}${`12:00:01 | Player "A"(id=${idB}) is connected\n`.repeat(60_000)}`;
  writeFileSync(join(folder, 'a.ADM'), logOf('10:00:00', idA));
  writeFileSync(join(folder, 'b.ADM'), long);
  writeFileSync(join(folder, 'c.ADM'), logOf('14:00:00', idA));
  const stop = new AbortController();
  let blocks = 0;
  const report = await importLogs(db, {
    serverId: 's',
    files: ['a.ADM', 'b.ADM', 'c.ADM'].map((name) => join(folder, name)),
    onProgress: ({ file }) => {
      blocks += 1;
      if (file.endsWith('b.ADM')) stop.abort();
    },
    signal: stop.signal,
  });
  expect(report).toMatchObject({ files: [{ file: join(folder, 'a.ADM') }], failures: [], runs: { new: 1 } });
  expect(blocks).toBe(2);
  expect(await db.selectFrom('log_run').select('header').execute()).toHaveLength(1);
  expect(await db.selectFrom('player').select('dayz_id').execute()).toEqual([{ dayz_id: idA }]);

  const rest = { servers: [{ id: 's', logs: folder }], banlists: [] };
  expect(await createSourceWatch(db).importChanged(rest)).toMatchObject([
    { report: { runs: { new: 2, known: 1 } } },
  ]);
});

test('a long read reports now and then how far it is; a short one does not', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const bans = join(folder, 'ban.txt');
  writeFileSync(bans, `${idA}\n`);
  const sources = {
    servers: [{ id: 's', logs: folder }],
    banlists: [{ id: 'bans', sources: [{ file: bans, format: 'dayz' as const }] }],
  };
  const log = join(folder, 'x.ADM');
  writeFileSync(log, run());
  const bytesTotal = 48 * 1024 * 1024;
  const line = `12:00:00 | ${'#'.repeat(500)}\n`;
  let elapsed = 0;
  let clockReads = 0;
  const clock = {
    now: Date.now,
    monotonic: () => {
      clockReads += 1;
      return (elapsed += 1_000);
    },
  };
  const progress: unknown[] = [];
  const watch = createSourceWatch(db, {
    clock,
    onOutcome: (outcome) => {
      if ('progress' in outcome) progress.push(outcome.progress);
    },
  });
  await watch.importChanged(sources);
  expect(progress).toEqual([]);

  appendFileSync(log, line.repeat(Math.ceil(bytesTotal / line.length)));
  clockReads = 0;
  await watch.followOn(sources);
  const { size } = statSync(log);
  expect(progress.length).toBeGreaterThan(1);
  expect(progress.length).toBeLessThan(clockReads / 10 + 1);
  expect(progress).toEqual(
    progress.map(() => ({ name: 'x.ADM', bytesDone: expect.any(Number), bytesTotal: size })),
  );
  const done = progress.map((one) => (one as { bytesDone: number }).bytesDone);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.at(-1)).toBeLessThan(size - 32 * 1024 * 1024);
});

test('a stopped poll of the sources marks nothing as read and ends', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const bans = join(folder, 'ban.txt');
  for (const name of ['a.ADM', 'b.RPT'])
    writeFileSync(join(folder, name), logOf('10:00:00', idA).repeat(20_000));
  writeFileSync(bans, `${idA}\n`);
  const sources = {
    servers: [{ id: 's', logs: folder }],
    banlists: [{ id: 'bans', sources: [{ file: bans, format: 'dayz' as const }] }],
  };
  const watch = createSourceWatch(db);
  const look = watch.importChanged(sources);
  watch.stop();
  expect(await look).toEqual([]);
  expect(await db.selectFrom('log_file').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('ban').selectAll().execute()).toEqual([]);
  expect(await createSourceWatch(db).importChanged(sources)).toMatchObject([
    { kind: 'logs' },
    { kind: 'bans' },
  ]);
});

test('a log of identities stops at its next block', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const rpt = join(folder, 'x.RPT');
  writeFileSync(rpt, `12:00:00.100 Player "B"(steamID=${steamB}) is connected\n`.repeat(20_000));
  const stop = new AbortController();
  const report = await importLogs(db, {
    serverId: 's',
    files: [rpt],
    onProgress: () => stop.abort(),
    signal: stop.signal,
  });
  expect(report).toMatchObject({ files: [], failures: [], players: 0 });
  expect(await db.selectFrom('player').selectAll().execute()).toEqual([]);
});

test('the bans of a file that left the config are lifted; they are back when it is', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const named = (...names: string[]) => ({
    servers: [],
    banlists: [
      { id: 'bans', sources: names.map((name) => ({ file: join(folder, name), format: 'dayz' as const })) },
    ],
  });
  writeFileSync(join(folder, 'a.txt'), `${idA}\n${idB}\n`);
  copyFileSync(join(folder, 'a.txt'), join(folder, 'b.txt'));
  await importBanFile(db, { listId: 'bans', file: join(samples, 'bans', 'ban-stock.txt'), format: 'dayz' });
  const player = { kind: 'steamId64', value: steamC } as const;
  await addBan(db, { listId: 'bans', player, category: 'OTHER', reason: null, expiresAt: null });
  const count = async () => (await listBanLists(db, 'p', 0))[0]?.banCount;
  const watch = createSourceWatch(db);
  await watch.importChanged(named('a.txt'));
  expect(await count()).toBe(4);

  // Under another name, while the service was down.
  const later = createSourceWatch(db);
  expect(await later.importChanged(named('b.txt'))).toMatchObject([
    { path: join(folder, 'b.txt'), report: { added: 2 } },
  ]);
  expect(await later.importChanged(named('b.txt'))).toMatchObject([
    { kind: 'bans', id: 'bans', path: join(folder, 'a.txt'), report: { lifted: 2, format: 'dayz' } },
  ]);
  expect(await count()).toBe(4);
  expect(await later.importChanged(named('b.txt'))).toEqual([]);

  expect(await later.importChanged(named())).toMatchObject([{ report: { lifted: 2 } }]);
  expect(await count()).toBe(2);
  expect(await later.importChanged(named('b.txt'))).toMatchObject([{ report: { added: 2 } }]);
  expect(await count()).toBe(4);
});

test('a player who moves to a ban file that has bans already stays banned', async () => {
  const db = await temporaryStore();
  const [a, b] = temporaryFiles({ 'a.txt': `${idA}\n`, 'b.txt': `${idB}\n` }) as [string, string];
  const named = (...files: string[]) => ({
    servers: [],
    banlists: [{ id: 'bans', sources: files.map((file) => ({ file, format: 'dayz' as const })) }],
  });
  const count = async () => (await listBanLists(db, 'p', 0))[0]?.banCount;
  await createSourceWatch(db).importChanged(named(a, b));
  expect(await count()).toBe(2);
  writeFileSync(b, `${idA}\n${idB}\n`);
  const watch = createSourceWatch(db);
  const config = named(b);
  expect(await watch.importChanged(config)).toEqual([]);
  expect(await count()).toBe(2);
  expect(await watch.importChanged(config)).toMatchObject([
    { path: b, report: { added: 1 } },
    { path: a, report: { lifted: 1 } },
  ]);
  expect(await count()).toBe(2);
});

test('the lines show that the clock of the game’s machine is not in the configured zone', async () => {
  const db = await temporaryStore(['s'], 'Europe/Berlin');
  const folder = temporaryFolder();
  const sources = sourcesOf({ servers: [{ id: 's', logs: folder }], banlists: [] });
  const problem = async () => (await overviewOfSources(db, sources)).map(({ logs }) => logs?.zoneProblem);
  writeFileSync(join(folder, 'x.ADM'), `${header('2025-03-30 00:07:22')}01:20:16 | #####\n`);
  const watch = createSourceWatch(db);
  await watch.importChanged(sources);
  expect(await problem()).toEqual([null]);
  appendFileSync(join(folder, 'x.ADM'), '02:20:16 | #####\n');
  await watch.importChanged(sources);
  expect(await problem()).toEqual([
    expect.stringMatching(
      /started on 2025-03-30 at 00:07:22 shows .* is not in Europe\/Berlin: set timezone/,
    ),
  ]);
});

test('an hour that the machine repeats counts once for who is on, and the owner reads that the zone is wrong', async () => {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const sources = sourcesOf({ servers: [{ id: 's', logs: folder }], banlists: [] });
  const file = join(folder, 'x.ADM');
  const player = `Player "A" (id=${idA} pos=<1.0, 2.0, 3.0>)`;
  const list = (time: string) =>
    `${time} | ##### PlayerList log: 1 players\n${time} | ${player}\n${time} | #####\n`;
  writeFileSync(file, `${header('2025-10-26 01:00:00')}01:55:00 | Player "A"(id=${idA}) is connected\n`);
  for (const time of ['02:55:00', '02:00:00', '02:55:00', '03:00:00']) {
    appendFileSync(file, list(time));
    // Each time another process goes on from what is stored.
    await createSourceWatch(db).importChanged(sources);
  }
  appendFileSync(file, `03:15:00 | Player "A"(id=${idA}) has been disconnected\n`);
  await createSourceWatch(db).importChanged(sources);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 140 * 60 });
  const [overview] = await overviewOfSources(db, sources);
  expect(overview?.logs?.zoneProblem).toMatch(/started on 2025-10-26 at 01:00:00 shows .* is not in UTC/);
});
