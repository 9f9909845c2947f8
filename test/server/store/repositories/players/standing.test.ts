import { beforeEach, expect, test } from 'vitest';
import { dayzIdOf } from '../../../../../src/api/identifiers.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { readPlayedDays, readRanks } from '../../../../../src/server/store/repositories/players/standing.ts';
import { importLogs } from '../../../../harness/logs.ts';
import { steamA, temporaryFiles, temporaryStore } from '../../../ingest/fixture.ts';

const id = dayzIdOf(steamA);
/** The player is on for an hour in each of these runs. */
const runs = (...headers: string[]): string =>
  headers
    .flatMap((header) => [
      `AdminLog started on ${header} at 22:00:00`,
      `22:00:00 | Player "A" (id=${id}) is connected`,
      `23:00:00 | Player "A" (id=${id}) has been disconnected`,
    ])
    .join('\n');

let db: Database;
beforeEach(async () => {
  db = await temporaryStore();
});

async function store(playerKills: number, over: { meters?: number; hidden?: number } = {}): Promise<number> {
  const player = await db
    .insertInto('player')
    .values({ project_id: 'p', name: 'x', hidden: over.hidden ?? 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const longest_kill_meters = over.meters ?? null;
  const stats = { project_id: 'p', player_id: player.id, player_kills: playerKills, longest_kill_meters };
  await db.insertInto('player_stats').values(stats).execute();
  return player.id;
}

test('equal figures share a rank, and hidden players have none', async () => {
  await store(9);
  await store(50, { hidden: 1 });
  const [one, other] = [await store(7, { meters: 812.4 }), await store(7)];
  expect(await readRanks(db, 'p', one, 100)).toEqual({ PLAYER_KILLS: 2, LONGEST_KILL: 1 });
  expect(await readRanks(db, 'p', other, 100)).toEqual({ PLAYER_KILLS: 2 });
  expect(await readRanks(db, 'p', await store(3), 100)).toEqual({ PLAYER_KILLS: 4 });
});

test('nobody beyond the first ones has a rank, nor has a figure of 0', async () => {
  for (const kills of [9, 8, 7]) await store(kills);
  expect(await readRanks(db, 'p', await store(6), 3)).toEqual({});
  expect(await readRanks(db, 'p', await store(7), 3)).toEqual({ PLAYER_KILLS: 3 });
  expect(await readRanks(db, 'p', await store(0), 100)).toEqual({});
  expect(await readRanks(db, 'p', 999_999, 100)).toEqual({});
});

test('days are those of the time zone, and all of a run counts as the day of its start', async () => {
  const month = { days: 30, zone: 'Europe/Berlin', now: Date.UTC(2026, 2, 30, 12) };
  expect(await readPlayedDays(db, 'p', 1, month)).toBeNull();
  // Of which the first is too long ago; the clocks go forward on 29 March.
  const text = runs('2026-02-27', '2026-03-01', '2026-03-28', '2026-03-30');
  await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': `${text}\n` }) });
  const player = await db.selectFrom('player').select('id').executeTakeFirstOrThrow();
  const days = (await readPlayedDays(db, 'p', player.id, month)) ?? [];
  const played = days.flatMap((seconds, index) => (seconds > 0 ? [[index, seconds]] : []));
  // 30 days end today: 1 March is the first, 28 March the last but two.
  expect(played).toEqual([
    [0, 3_600],
    [27, 3_600],
    [29, 3_600],
  ]);
  expect(await readPlayedDays(db, 'p', player.id + 1, month)).toEqual(days.map(() => 0));
});

test('the first of the days begins at midnight where today has none', async () => {
  // In Chile the clocks go forward at midnight before 6 September; the run begins at midnight of 8 August there.
  const today = { days: 30, zone: 'America/Santiago', now: Date.UTC(2026, 8, 6, 18) };
  db = await temporaryStore(['s'], 'Etc/GMT+6');
  await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': `${runs('2026-08-07')}\n` }) });
  const player = await db.selectFrom('player').select('id').executeTakeFirstOrThrow();
  expect((await readPlayedDays(db, 'p', player.id, today))?.[0]).toBe(3_600);
});
