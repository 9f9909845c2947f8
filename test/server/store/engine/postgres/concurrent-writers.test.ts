import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWriter, type WriteDatabase } from '../../../../../src/server/store/engine/database.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import {
  markStale,
  refreshStale,
} from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import { openNewDatabase, patient, type NewStore } from '../../../../harness/new-store.ts';

let store: NewStore;
let other: WriteDatabase;
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 60_000 });
  other = await openWriter(store.location, { busyTimeoutMs: 60_000, limits: patient });
  await store.db
    .insertInto('project')
    .values({ id: 'p', slug: 'p', name: 'P', plan: 'PRO', suspended: 0, support: '{}', active: 1 })
    .execute();
});
afterEach(async () => {
  await other.close();
  await store.close();
});

const rounds = 15;
const players = Array.from({ length: 200 }, (_, at) => `${at}`.padStart(43, 'x') + '=');

it('stores the same players of two servers in opposite order, and no writer fails', async () => {
  const follow = async ({ db }: WriteDatabase, serverId: string, ids: readonly string[]): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      await db.transaction().execute(async (tx) => {
        // Each half by itself: rows are locked in the order in which they are written.
        for (const some of [ids.slice(0, 100), ids.slice(100)]) {
          const span = { firstSeenAt: round, lastSeenAt: round };
          const people = some.map((dayzId) => ({
            identity: { dayzId },
            names: [['N', span] as const],
            ...span,
          }));
          const saved = await savePeople(
            tx,
            'p',
            people.map(({ names, ...person }) => ({
              ...person,
              names: names.map(([name, at]) => [name, at]),
              serverId,
            })),
          );
          await markStale(
            tx,
            saved.ids.flatMap((id) => id ?? []),
          );
        }
      });
      await refreshStale(db);
    }
  };
  const writers = [
    follow(store, 's1', players),
    follow(other, 's2', players.toReversed()),
    follow(store, 's2', players.toReversed()),
    follow(other, 's1', players),
  ];
  expect((await Promise.allSettled(writers)).flatMap((one) => ('reason' in one ? [one.reason] : []))).toEqual(
    [],
  );
  const rows = await store.db.selectFrom('player').selectAll().execute();
  expect(rows.map(({ dayz_id }) => dayz_id ?? '').toSorted()).toEqual(players.toSorted());
  const aliases = await store.db.selectFrom('player_alias').selectAll().execute();
  expect(aliases).toHaveLength(2 * players.length);
  expect(new Set(aliases.map((row) => `${row.first_seen_at} ${row.last_seen_at}`))).toEqual(
    new Set([`1 ${rounds}`]),
  );
});
