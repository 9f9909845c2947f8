import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { expect, test, vi } from 'vitest';
import { metricCodes, metrics } from '../../../../src/api/metrics.ts';
import * as resource from '../../../../src/api/resources.ts';
import { importPlayersFile } from '../../../../src/server/ingest/players/import-players-json.ts';
import {
  contents,
  idA,
  run,
  statsOf,
  steamA,
  steamB,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../fixture.ts';
import { readAliases } from '../../../../src/server/store/repositories/players/player-profiles.ts';
import { refreshStale } from '../../../../src/server/store/repositories/players/stale-statistics.ts';
import { importLogs } from '../../../harness/logs.ts';

const guidA = '3136185f8ab4f601875da476f9a00dbb';
const cftools = '5f2a3b4c5d6e7f8091a2b3c4';
const importText = async (db: Awaited<ReturnType<typeof temporaryStore>>, content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return await importPlayersFile(db, {
    project: 'p',
    file: temporaryFiles({ 'players.json': text })[0] as string,
  });
};
const peopleOf = async (db: Awaited<ReturnType<typeof temporaryStore>>) =>
  await db.selectFrom('player').select(['name', 'first_seen_at', 'last_seen_at']).orderBy('id').execute();

test('players and figures from elsewhere join the log’s, and importing twice changes nothing', async () => {
  const db = await temporaryStore();
  const log = run(
    `12:00:00 | Player "A"(id=${idA}) is connected`,
    `12:00:10 | Player "B" (DEAD) (id=Unknown pos=<1, 2, 3>) killed by Player "A" (id=${idA} pos=<1, 2, 3>) with SVD from 100.5 meters `,
    `12:10:00 | Player "A"(id=${idA}) has been disconnected`,
  );
  await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': log }) });
  const entries = [
    {
      steamId64: steamA,
      cftoolsId: cftools,
      name: 'Old name',
      aliases: ['Older name', { name: 'Oldest', firstSeenAt: '2019-01-01T00:00:00Z', lastSeenAt: null }],
      stats: {
        playerKills: 10,
        totalPlaySeconds: 3600,
        longestKillMeters: 99.5,
        longestHitMeters: 300,
        zombieKills: 7,
        deaths: null,
      },
      firstSeenAt: '2019-01-01T00:00:00Z',
      lastSeenAt: '2020-01-01T02:00:00+02:00',
    },
    { battleyeGuid: 'A8C7493E762CD03EDD55BA90217C9FE4', name: 'Nobody' },
  ];
  expect(await importText(db, entries)).toMatchObject({ players: 2, withStats: 1 });
  expect(await statsOf(db, idA)).toMatchObject({
    player_kills: 11,
    deaths: 0,
    suicides: 0,
    zombie_kills: 7,
    animal_kills: null,
    total_play_seconds: 4200,
    longest_life_seconds: 600,
    longest_hit_meters: 300,
    longest_kill_meters: 100.5,
  });
  expect(
    await db.selectFrom('player').selectAll().where('dayz_id', '=', idA).executeTakeFirst(),
  ).toMatchObject({
    name: 'A',
    cftools_id: cftools,
    battleye_guid: guidA,
    first_seen_at: Date.UTC(2019, 0, 1),
  });
  const before = await contents(db);
  await importText(db, entries);
  await importText(db, entries);
  expect(await contents(db)).toEqual(before);
});

test('the file that the documentation shows is one', async () => {
  const db = await temporaryStore();
  const [, example = ''] = /```json\n(\[[^`]*)```/.exec(readFileSync('docs/files.md', 'utf8')) ?? [];
  expect(await importText(db, example)).toMatchObject({ players: 1, withStats: 1 });
  expect(await peopleOf(db)).toEqual([
    { name: 'Kim', first_seen_at: Date.UTC(2023, 4, 1, 18), last_seen_at: Date.UTC(2024, 1, 1, 18) },
  ]);
});

test('a player is called by `name`, not by an alias, whichever times the file gives', async () => {
  const db = await temporaryStore();
  const aliases = [
    'Ann',
    { name: 'Bea', firstSeenAt: '2020-01-01T00:00:00Z', lastSeenAt: '2020-02-01T00:00:00Z' },
  ];
  const times = { firstSeenAt: '2020-01-15T00:00:00Z', lastSeenAt: '2020-02-01T00:00:00Z' };
  const spans = [[], ['Ann'], aliases].flatMap((list) => [{ aliases: list }, { aliases: list, ...times }]);
  const cftoolsId = (i: number) => `${i}`.padStart(24, '0');
  await importText(
    db,
    spans.map((span, i) => ({ cftoolsId: cftoolsId(i), name: 'Zoe', ...span })),
  );
  expect((await peopleOf(db)).map(({ name }) => name)).toEqual(spans.map(() => 'Zoe'));
  await importText(db, [{ cftoolsId: cftoolsId(0), name: 'Yve', aliases: ['Ann', 'Zoe'] }]);
  expect((await peopleOf(db))[0]).toMatchObject({ name: 'Yve' });
  const ids = (await db.selectFrom('player').select('id').orderBy('id').execute()).map(({ id }) => id);
  const known = await readAliases(db, ids);
  expect(ids.map((id) => known.get(id)?.[0]?.name)).toEqual(['Yve', ...spans.slice(1).map(() => 'Zoe')]);
});

test('a player as the service gives one can be imported, with what it does not know', async () => {
  const db = await temporaryStore();
  const seen = { firstSeenAt: null, lastSeenAt: null };
  const unknown = Object.fromEntries(metricCodes.map((code) => [metrics[code].stat, null]));
  const named = { steamId64: steamA, battleyeGuid: guidA, cftoolsId: null, name: 'A' };
  const nameless = { steamId64: null, battleyeGuid: null, cftoolsId: cftools, name: null };
  await importText(db, [
    resource.player.parse({
      ...named,
      ...seen,
      aliases: [{ name: 'A', ...seen }],
      stats: { ...unknown, deaths: 3 },
    }),
    resource.player.parse({ ...nameless, ...seen, aliases: [], stats: unknown }),
  ]);
  expect(await peopleOf(db)).toMatchObject([{ name: 'A' }, { name: null }]);
});

test('the same person by GUID and later by SteamID64 is one entry, not two to be added up', async () => {
  const db = await temporaryStore();
  await importText(db, [{ battleyeGuid: guidA, stats: { deaths: 3 } }]);
  await importText(db, [{ steamId64: steamA, stats: { deaths: 4 } }]);
  expect(await statsOf(db, idA)).toMatchObject({ deaths: 4 });
});

test('every mistake is named with its place, and nothing is written', async () => {
  const db = await temporaryStore();
  const entries = [
    { steamId64: steamA },
    { name: 'no id' },
    { steamId64: 7656, stats: { kills: 1 } },
    { steamId64: steamB, battleyeGuid: guidA, stats: { deaths: -1 }, firstSeenAt: 'yesterday' },
  ];
  const failed = importText(db, entries);
  await expect(failed).rejects.toThrow(/players\.json: is not a list of players:/);
  await expect(failed).rejects.toThrow(/\[1\]: expected at least one of steamId64, battleyeGuid, cftoolsId/);
  await expect(failed).rejects.toThrow(/\[2\]\.steamId64: /);
  await expect(failed).rejects.toThrow(/\[2\]\.stats: .*"kills"/);
  await expect(failed).rejects.toThrow(/\[3\]\.stats\.deaths: /);
  await expect(failed).rejects.toThrow(/\[3\]\.firstSeenAt: /);
  expect(await db.selectFrom('player').selectAll().execute()).toEqual([]);
});

test.each([
  [{ lastSeenAt: '2999-01-01T00:00:00Z' }, /\[0\]\.lastSeenAt: expected a moment after 1970/],
  [{ firstSeenAt: '0001-01-01T00:00:00Z' }, /\[0\]\.firstSeenAt: expected a moment after 1970/],
  [
    { firstSeenAt: '2024-05-02T00:00:00Z', lastSeenAt: '2024-05-01T00:00:00Z' },
    /\[0\]\.lastSeenAt: expected a moment not before firstSeenAt/,
  ],
  [
    { aliases: [{ name: 'A', firstSeenAt: '2024-05-02T00:00:00Z', lastSeenAt: '2024-05-01T00:00:00Z' }] },
    /\[0\]\.aliases\[0\]/,
  ],
])('times at which nobody can have played are refused: %j', async (times, problem) => {
  const db = await temporaryStore();
  await expect(importText(db, [{ steamId64: steamA, ...times }])).rejects.toThrow(problem);
});

test('a GUID that is not the SteamID64’s, another shape, no JSON and an unknown project are refused', async () => {
  const db = await temporaryStore();
  await expect(importText(db, [{ steamId64: steamB, battleyeGuid: guidA }])).rejects.toThrow(
    /\[0\]\.battleyeGuid: the battleyeGuid is not that of the steamId64/,
  );
  await expect(importText(db, { players: [] })).rejects.toThrow(/the whole file: expected a list of players/);
  await expect(importText(db, '{')).rejects.toThrow(/is not JSON/);
  await expect(importPlayersFile(db, { project: 'x', file: 'y' })).rejects.toThrow('no project "x"');
});

test.skipIf(process.platform === 'win32')('refuses a pipe, which would never end', async () => {
  const db = await temporaryStore();
  const file = join(temporaryFolder(), 'players.json');
  execFileSync('mkfifo', [file]);
  await expect(importPlayersFile(db, { project: 'p', file })).rejects.toThrow(/is a named pipe \(FIFO\)/);
});

test('an import that ends half-way is completed by importing again', async () => {
  const entries = Array.from({ length: 2_500 }, (_, i) => ({
    cftoolsId: i.toString(16).padStart(24, '0'),
    name: `Player ${i}`,
    stats: { playerKills: i + 1 },
  }));
  const db = await temporaryStore();
  const begin = Kysely.prototype.transaction;
  const killed = vi.spyOn(Kysely.prototype, 'transaction').mockImplementation(function (this: typeof db) {
    if (killed.mock.calls.length > 2) throw new Error('killed');
    return begin.call(this);
  });
  await expect(importText(db, entries)).rejects.toThrow('killed');
  killed.mockRestore();
  // As the next start does. Who was stored has the right figures.
  await refreshStale(db);
  const kills = await db.selectFrom('player_stats').select('player_kills').orderBy('player_kills').execute();
  expect(kills).toEqual(entries.slice(0, 2_000).map(({ stats }) => ({ player_kills: stats.playerKills })));
  expect(await importText(db, entries)).toMatchObject({ players: 2_500, withStats: 2_500 });
  const whole = await temporaryStore();
  await importText(whole, entries);
  expect(await contents(db)).toEqual(await contents(whole));
});
