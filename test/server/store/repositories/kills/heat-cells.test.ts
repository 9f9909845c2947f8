import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import { expect, test } from 'vitest';
import { type HeatCell, heatKinds } from '../../../../../src/api/heat-maps.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  heatSince,
  type HeatQuery,
  readHeat,
} from '../../../../../src/server/store/repositories/kills/heat-cells.ts';
import { deleteOldDeaths } from '../../../../../src/server/store/repositories/kills/retention.ts';
import { onPostgres } from '../../../../harness/new-store.ts';
import { type Event, happen, heatStore, shownOf } from './heat-world.ts';

const day = 86_400_000;
const weekMs = 7 * day;
/** A Wednesday. */
const now = Date.UTC(2026, 2, 4, 12);
const all: HeatQuery = {
  projectId: 'p',
  serverId: 's',
  kind: 'deaths',
  from: 0,
  until: now,
  hiddenFrom: now - day,
  weapon: null,
};
const read = async (db: Database, query: Partial<HeatQuery> = {}): Promise<Record<string, number>> =>
  shown((await readHeat(db, { ...all, ...query })).cells);
const shown = (cells: readonly HeatCell[]): Record<string, number> =>
  Object.fromEntries(cells.map(({ x, z, events }) => [`${x}:${z}`, events]));
const deathsOf = (victims: readonly number[], over: Partial<Event> = {}): Event[] =>
  victims.map((victim) => ({ at: now - 3 * day, victim, place: [5, 6], ...over }));

test('a square needs three events of two players, of whom none is hidden', async () => {
  const db = await heatStore();
  await happen(db, [
    ...deathsOf([1, 1, 2]),
    ...deathsOf([1, 2], { place: [0, 0] }),
    ...deathsOf([1, 1, 1, 1], { place: [1, 0] }),
    ...deathsOf([1, 1, 1, 8], { place: [2, 0] }),
    ...deathsOf([1, 2, 8], { place: [3, 0] }),
  ]);
  expect(await read(db)).toEqual({ '5:6': 3 });
  // Those of the hidden player 8 are not even counted.
  expect(await readHeat(db, all)).toMatchObject({ leftOut: 2 + 4 + 3 + 2 });
  expect(await heatSince(db, 's')).toBe(now - 3 * day);
  expect(await heatSince(db, 't')).toBeNull();
  await db.updateTable('player').set({ hidden: 1 }).where('id', '=', 2).execute();
  expect(await read(db)).toEqual({});
});

test('kills and long shots are where the killers were', async () => {
  const db = await heatStore();
  const kill = (killer: number, meters: number): Event => ({
    at: now - 3 * day,
    victim: 3,
    killer,
    meters,
    place: [5, 6],
    killerPlace: [7, 8],
    weapon: meters > 400 ? 'Mosin 91/30' : 'SVD',
  });
  await happen(db, [kill(1, 299.9), kill(1, 300), kill(2, 350), kill(2, 500)]);
  expect(await read(db, { kind: 'kills' })).toEqual({ '7:8': 4 });
  expect(await read(db, { kind: 'shots' })).toEqual({ '7:8': 3 });
  expect(await read(db, { kind: 'kills', weapon: 'SVD' })).toEqual({ '7:8': 3 });
  expect(await read(db, { kind: 'kills', weapon: 'Mosin 91/30' })).toEqual({});
  // One victim.
  expect(await read(db)).toEqual({});
});

test('nothing counts that is too young by the log or by the moment it was stored, or outside of the period', async () => {
  const db = await heatStore();
  const place: Event['place'] = [9, 9];
  await happen(db, [
    ...deathsOf([1, 2, 3], { at: now - day }),
    // The clock of the game server's machine is five hours behind.
    ...deathsOf([1, 2, 3], { at: now - day - 5 * 3_600_000, storedAt: now - day, place: [1, 1] }),
    // An older log was imported just now.
    ...deathsOf([1, 2, 3], { at: now - 3 * day, storedAt: now, place }),
  ]);
  expect(await read(db)).toEqual({ '9:9': 3 });
  expect(await read(db, { from: now - 2 * day })).toEqual({});
  expect(await read(db, { until: now - 3 * day })).toEqual({});
  expect(await read(db, { hiddenFrom: now - 300_000 })).toEqual({ '5:6': 3, '1:1': 3, '9:9': 3 });
});

test('positions that no terrain has are no squares', async () => {
  const db = await heatStore();
  await happen(db, deathsOf([1, 2, 3]));
  for (const victim_x of [-1, 32_768, 3.4e38]) {
    await db.updateTable('death').set({ victim_x }).execute();
    expect(await read(db)).toEqual({});
  }
  await db.updateTable('death').set({ victim_x: 32_767.9, victim_z: 0 }).execute();
  expect(await read(db)).toEqual({ '163:0': 3 });
});

test('a project that keeps no positions any more has no squares', async () => {
  const db = await heatStore();
  await happen(db, deathsOf([1, 2, 3]));
  await deleteOldDeaths(db, now);
  expect(await read(db)).toEqual({ '5:6': 3 });
  await db.updateTable('project').set({ kill_positions: 0 }).execute();
  await deleteOldDeaths(db, now);
  await db.updateTable('project').set({ kill_positions: 1 }).execute();
  expect(await read(db)).toEqual({});
  expect(await heatSince(db, 's')).toBeNull();
});

const square = constantFrom([0, 0] as const, [0, 1] as const, [76, 76] as const);
const event = record({
  at: integer({ min: now - 10 * weekMs, max: now }),
  victim: integer({ min: 1, max: 9 }),
  killer: option(integer({ min: 1, max: 9 })),
  place: option(square),
  killerPlace: option(square),
  meters: constantFrom(null, 120, 299.9, 300, 500),
});

test('no square breaks the rule in 200 stores', async () => {
  const db = await heatStore();
  let squares = 0;
  await assert(
    asyncProperty(
      array(event, { minLength: 8, maxLength: 40 }),
      constantFrom(...heatKinds),
      integer({ min: 0, max: 10 * weekMs }),
      async (events, kind, ago) => {
        await db.deleteFrom('death').execute();
        await happen(db, events);
        const from = now - ago;
        const seen = events
          .filter(({ at }) => at >= from && at < all.hiddenFrom)
          .flatMap((each) => shownOf(kind, each) ?? []);
        for (const [key, count] of Object.entries(await read(db, { kind, from }))) {
          const here = seen.filter((each) => each.square === key);
          squares += 1;
          expect(count).toBe(here.length);
          expect(count).toBeGreaterThanOrEqual(3);
          expect(new Set(here.map(({ player }) => player)).size).toBeGreaterThanOrEqual(2);
        }
      },
    ),
    { numRuns: onPostgres ? 60 : 200 },
  );
  expect(squares).toBeGreaterThan(onPostgres ? 10 : 30);
}, 120_000);
