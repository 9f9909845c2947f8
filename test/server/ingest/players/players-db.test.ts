import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQLite } from '../../../../src/server/store/engine/driver.ts';
import { Kysely } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { parseConfig } from '../../../harness/parse-config.ts';
import { importPlayersDb } from '../../../../src/server/ingest/players/import-players-db.ts';
import { characterBlob } from '../../../../packages/dayz-files/test/character-blob.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import {
  contents,
  header,
  idA,
  idB,
  run,
  samples,
  statsOf,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../fixture.ts';
import { importLogs } from '../../../harness/logs.ts';

const figures = { dist: 10, players_killed: 0, infected_killed: 0, playtime: 5, longest_survivor_hit: 0 };

function playersDb(
  rows: readonly (readonly [uid: string, data: Buffer | null])[],
  path = join(temporaryFolder(), 'players.db'),
) {
  const db = new SQLite(path);
  db.pragma('synchronous = OFF');
  db.exec(
    'CREATE TABLE IF NOT EXISTS Players (Id INTEGER PRIMARY KEY NOT NULL, Alive INTEGER NOT NULL, UID CHAR(64) UNIQUE NOT NULL, Data BLOB NULL)',
  );
  const insert = db.prepare(
    'INSERT INTO Players (Alive, UID, Data) VALUES (1, ?, ?) ON CONFLICT (UID) DO UPDATE SET Data = excluded.Data',
  );
  for (const row of rows) insert.run(...row);
  db.close();
  return path;
}

/** A file as nobody but an attacker writes it. */
function gameFile(sql: string): string {
  const path = join(temporaryFolder(), 'players.db');
  const db = new SQLite(path);
  db.pragma('synchronous = OFF');
  db.exec(sql);
  db.close();
  return path;
}

const read = (infected: number, more: Record<string, number> = {}) =>
  characterBlob({ ...figures, infected_killed: infected, ...more });

describe('a real players.db', () => {
  test('of server-a gives the infected its survivors killed, by the game’s own ids', async () => {
    const db = await temporaryStore(['server-a']);
    const file = join(samples, 'server-a', 'players.db');
    const report = await importPlayersDb(db, { serverId: 'server-a', file });
    expect(report).toMatchObject({ characters: 55, empty: 2, changed: 55, skipped: [] });
    // Read by hand from the row's bytes: infected_killed is the float 00 a0 04 45.
    expect(await statsOf(db, 'nyciazONCeyN1ETPU4H_lJQem3qWZvNzc_HUgx7g1-g=')).toMatchObject({
      zombie_kills: 2122,
      animal_kills: null,
      player_kills: 0,
      total_play_seconds: 373_310,
    });
  });

  test('of a modded server gives animals too, and never counts twice beside the admin log', async () => {
    const db = await temporaryStore(['server-e'], 'Europe/Berlin');
    const file = join(samples, 'server-e', 'players.db');
    await importLogs(db, {
      serverId: 'server-e',
      files: [join(samples, 'server-e', 'DayZServer_x64.ADM')],
    });
    const id = '8EFLvdrhFAxTufxtNu0sXTIDE8CmN1gnhSFEO2kd71E=';
    const before = await statsOf(db, id);
    await importPlayersDb(db, { serverId: 'server-e', file });
    const after = await statsOf(db, id);
    expect(after).toEqual({
      ...before,
      zombie_kills: after?.zombie_kills,
      animal_kills: after?.animal_kills,
    });
    expect(after?.zombie_kills).toBeGreaterThan(0);
    expect(await statsOf(db, 'b2HKpAD6GEjgy0fJTqFyga7fLsa4oD57SzFy004vur8=')).toMatchObject({
      zombie_kills: 313,
      animal_kills: 1,
    });
  });

  test('read twice changes nothing', async () => {
    const db = await temporaryStore(['server-c']);
    const options = { serverId: 'server-c', file: join(samples, 'server-c', 'players.db') };
    await importPlayersDb(db, options);
    const before = [await contents(db), await db.selectFrom('character').selectAll().execute()];
    expect((await importPlayersDb(db, options)).changed).toBe(0);
    expect([await contents(db), await db.selectFrom('character').selectAll().execute()]).toEqual(before);
  });
});

test('growth is summed over lives: when a figure falls, a new life began', async () => {
  const db = await temporaryStore(['s', 't']);
  const file = playersDb([[idA, read(5)]]);
  const totals = [];
  for (const [infected, playtime] of [
    [5, 100],
    [9, 200],
    [9, 200],
    // Dead and back: the infected rose above the last figure, the play time shows the new life.
    [12, 50],
    [2, 10],
    [3, 20],
  ] as const) {
    playersDb([[idA, read(infected, { playtime, animals_killed: 1 })]], file);
    await importPlayersDb(db, { serverId: 's', file });
    totals.push((await statsOf(db, idA))?.zombie_kills);
  }
  expect(totals).toEqual([5, 9, 9, 21, 23, 24]);
  expect(await statsOf(db, idA)).toMatchObject({ animal_kills: 3 });
  await importPlayersDb(db, { serverId: 't', file });
  expect(await statsOf(db, idA)).toMatchObject({ zombie_kills: 27 });
});

describe('the file that the game writes', () => {
  const hourMs = 3_600_000;

  /** Reads the states of a character, each an hour after the one before. @returns the infected killed after each */
  async function totals(
    states: readonly (readonly [hours: number, infected: number])[],
    origin: 'config' | 'import' = 'config',
  ) {
    const db = await temporaryStore();
    const file = join(temporaryFolder(), 'players.db');
    const killed = [];
    for (const [index, [hours, infected]] of states.entries()) {
      playersDb([[idA, read(infected, { playtime: hours * 3600 })]], file);
      await importPlayersDb(db, { serverId: 's', file, origin, now: () => index * hourMs });
      killed.push((await statsOf(db, idA))?.zombie_kills);
    }
    return killed;
  }

  const states = [
    [20, 5],
    [21, 9],
    [20, 5],
    [20.5, 8],
    [21.5, 10],
  ] as const;

  test('goes on with a life of which an earlier state is put back, and counts its largest figures', async () => {
    expect(await totals(states)).toEqual([5, 9, 9, 9, 10]);
  });

  test('counts a new life after each death, also after something was put back', async () => {
    const lives = [...states, [0.5, 2], [1, 3], [20, 5]] as const;
    expect((await totals(lives)).slice(-3)).toEqual([12, 13, 15]);
  });

  test('counts what is put back as a new life where it is younger than the reading before', async () => {
    const young = [
      [0.5, 5],
      [1, 9],
      [0.5, 5],
    ] as const;
    expect(await totals(young)).toEqual([5, 9, 14]);
  });

  test('may be imported from any time, and then each fall is a new life', async () => {
    expect(await totals(states, 'import')).toEqual([5, 9, 14, 17, 19]);
  });
});

describe('what both the logs and players.db count', () => {
  const log = run(
    `12:00:00 | Player "A"(id=${idA}) is connected`,
    `12:10:00 | Player "A"(id=${idA}) has been disconnected`,
  );
  const file = () =>
    playersDb([[idA, read(5, { playtime: 900.5, players_killed: 3, longest_survivor_hit: 512.25 })]]);
  const config = (keys: string) =>
    parseConfig(
      `projects: [{ slug: q, name: Q, servers: [{ id: q1, name: S, host: h, port: 1, ${keys} }] }]`,
      'x.yaml',
    );
  const figures = async (db: Database) => {
    const stats = await statsOf(db, idA);
    return [stats?.player_kills, stats?.total_play_seconds, stats?.longest_hit_meters];
  };

  test('counts from players.db until the server has a log', async () => {
    const db = await temporaryStore([]);
    await reconcile(db, config("playersDb: '/x/players.db'"));
    await importPlayersDb(db, { serverId: 'q1', file: file() });
    expect(await figures(db)).toEqual([3, 900, 512.25]);
    await importLogs(db, {
      serverId: 'q1',
      files: temporaryFiles({ 'x.ADM': header('2024-05-01 12:00:00') }),
    });
    expect(await figures(db)).toEqual([null, null, null]);
    await importLogs(db, { serverId: 'q1', files: temporaryFiles({ 'x.ADM': log }) });
    expect(await figures(db)).toEqual([0, 600, null]);
  });

  test('takes the longest hit of several lives, not their sum', async () => {
    const db = await temporaryStore([]);
    await reconcile(db, config("playersDb: '/x/players.db'"));
    const path = join(temporaryFolder(), 'players.db');
    for (const [playtime, hit] of [
      [100, 80],
      [10, 30],
      [20, 40],
    ] as const) {
      playersDb([[idA, read(1, { playtime, longest_survivor_hit: hit })]], path);
      await importPlayersDb(db, { serverId: 'q1', file: path });
    }
    expect(await statsOf(db, idA)).toMatchObject({ longest_hit_meters: 80, total_play_seconds: 120 });
  });
});

test('figures of a mod may fall within a life', async () => {
  const db = await temporaryStore();
  const file = playersDb([[idA, read(5, { mdf_immunityboost_state: 9 })]]);
  await importPlayersDb(db, { serverId: 's', file });
  playersDb([[idA, read(6, { mdf_immunityboost_state: 0 })]], file);
  await importPlayersDb(db, { serverId: 's', file });
  expect(await statsOf(db, idA)).toMatchObject({ zombie_kills: 6 });
});

test('it is read while the game holds it open and writes', async () => {
  const db = await temporaryStore();
  const file = playersDb([[idA, read(5)]]);
  const game = new SQLite(file);
  game.exec('BEGIN IMMEDIATE');
  game.prepare('UPDATE Players SET Data = ?').run(read(50));
  expect(await importPlayersDb(db, { serverId: 's', file })).toMatchObject({ characters: 1 });
  game.exec('COMMIT');
  game.close();
  expect(await statsOf(db, idA)).toMatchObject({ zombie_kills: 5 });
});

describe('rows that are no good', () => {
  const rows: [string, string, Buffer][] = [
    ['a blob that ends early', idB, read(5).subarray(0, 60)],
    ['an empty blob', idB, Buffer.alloc(0)],
    [
      'a size beyond the end',
      idB,
      Buffer.concat([read(5).subarray(0, 35), Buffer.from([255, 255, 255, 127]), read(5).subarray(39)]),
    ],
    ['a figure that is not a number', idB, read(Number.NaN)],
    ['a negative figure', idB, read(-1)],
    ['an id that is none', '../../etc/passwd', read(5)],
  ];
  test.each(rows)('%s is skipped with its reason, the others are read', async (_, uid, data) => {
    const db = await temporaryStore();
    const file = playersDb([
      [idA, read(7)],
      [uid, data],
    ]);
    const report = await importPlayersDb(db, { serverId: 's', file });
    expect(report).toMatchObject({ characters: 1, skipped: [{ row: 2, reason: expect.any(String) }] });
    expect(await statsOf(db, idA)).toMatchObject({ zombie_kills: 7 });
    expect(await db.selectFrom('player').select('dayz_id').execute()).toEqual([{ dayz_id: idA }]);
  });
});

describe('files that are no good are refused, and nothing is written', () => {
  const real = readFileSync(join(samples, 'server-a', 'players.db'));
  const files: [string, () => string, RegExp][] = [
    [
      'a truncated file',
      () => temporaryFiles({ 'players.db': real.subarray(0, 12_000) })[0] as string,
      /is not a readable players\.db/,
    ],
    [
      'no SQLite database',
      () => temporaryFiles({ 'players.db': run('x') })[0] as string,
      /is not a readable players\.db: file is not a database/,
    ],
    ['a missing file', () => join(temporaryFolder(), 'players.db'), /players\.db: no such file/],
    [
      'another layout',
      () =>
        playersDb([
          [idA, read(5)],
          [idB, characterBlob({ infected_killed: 4 }, 3)],
        ]),
      /row 2 holds data of version 3, version 2 was expected/,
    ],
    ['no table of players', () => gameFile('CREATE TABLE Other (Id)'), /no such table: Players/],
    [
      'a view that never ends',
      () =>
        gameFile(`CREATE VIEW Players AS
          WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS UID, NULL AS Data FROM n`),
      /Players is not the table of the game/,
    ],
    [
      'columns that are computed',
      () => gameFile('CREATE TABLE Players (Id INTEGER PRIMARY KEY, UID, Data AS (zeroblob(900000000)))'),
      /Players is not the table of the game/,
    ],
    [
      'a constraint that computes for an hour',
      () =>
        gameFile(`CREATE TABLE Players (Id INTEGER PRIMARY KEY, UID, Data, CHECK (length(hex(zeroblob(400000000))) > 0));
          PRAGMA ignore_check_constraints = ON;
          WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000) INSERT INTO Players (Id, Data) SELECT x, x'00' FROM n`),
      // None of them is a character.
      /none of its rows can be read/,
    ],
    [
      'a default that fills each row',
      () =>
        gameFile(`CREATE TABLE Players (Id INTEGER PRIMARY KEY);
          WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500) INSERT INTO Players SELECT x FROM n;
          ALTER TABLE Players ADD COLUMN UID DEFAULT '${'a'.repeat(1_000)}';
          ALTER TABLE Players ADD COLUMN Data DEFAULT x'00'`),
      /its rows hold more than the file/,
    ],
    [
      'a schema that leads to the same pages again and again',
      () => {
        const tables = Array.from({ length: 100 }, (_, i) => `CREATE TABLE t${i} (a)`);
        return gameFile(`CREATE TABLE Players (Id INTEGER PRIMARY KEY, UID, Data);${tables.join(';')}`);
      },
      /its schema is larger than that of the game/,
    ],
  ];
  test.each(files)('%s', async (_, file, message) => {
    const db = await temporaryStore();
    const before = await contents(db);
    await expect(importPlayersDb(db, { serverId: 's', file: file() })).rejects.toThrow(message);
    expect(await contents(db)).toEqual(before);
  });
});

test('an empty players.db, as the game makes it before its first character, changes nothing', async () => {
  const db = await temporaryStore();
  await importPlayersDb(db, {
    serverId: 's',
    file: playersDb([[idA, characterBlob({ infected_killed: 4 })]]),
  });
  const before = await contents(db);
  const [file] = temporaryFiles({ 'players.db': '' }) as [string];
  expect(await importPlayersDb(db, { serverId: 's', file })).toMatchObject({
    characters: 0,
    changed: 0,
  });
  expect(await contents(db)).toEqual(before);
});

test('figures are right after a kill between the characters and the figures that follow from them', async () => {
  const db = await temporaryStore();
  const file = playersDb([
    [idA, read(5)],
    [idB, read(7)],
  ]);
  const begin = Kysely.prototype.transaction;
  const killed = vi.spyOn(Kysely.prototype, 'transaction').mockImplementation(function (this: typeof db) {
    if (killed.mock.calls.length > 1) throw new Error('killed');
    return begin.call(this);
  });
  await expect(importPlayersDb(db, { serverId: 's', file })).rejects.toThrow('killed');
  killed.mockRestore();
  expect((await importPlayersDb(db, { serverId: 's', file })).changed).toBe(0);
  expect(await statsOf(db, idA)).toMatchObject({ zombie_kills: 5 });
  expect(await statsOf(db, idB)).toMatchObject({ zombie_kills: 7 });
});
