import { appendFileSync, copyFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSourceWatch } from '../../../src/server/ingest/sources.ts';
import { idA, run, samples, statsOf, steamB, temporaryFolder, temporaryStore } from './fixture.ts';

test('what has changed since the last look is imported, the rest is left alone', async () => {
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
  writeFileSync(bans, '');
  utimesSync(bans, 1, 1);
  expect(await watch.importChanged(sources)).toMatchObject([
    { kind: 'logs', report: { runs: { longer: 1 } } },
    { kind: 'bans', report: { lifted: 1 } },
  ]);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 60 });
});

test('a source that cannot be read is told once, hinders no other, and is taken up when it is back', async () => {
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
      error: 'there is no ban list "nobody" in the config: expected one of bans',
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

test('a folder of logs that is away is told once and is no loss', async () => {
  const db = await temporaryStore();
  const watch = createSourceWatch(db);
  const sources = { servers: [{ id: 's', logs: join(temporaryFolder(), 'share') }], banlists: [] };
  expect(await watch.importChanged(sources)).toMatchObject([{ kind: 'logs', error: 'no such file' }]);
  expect(await watch.importChanged(sources)).toEqual([]);
});
