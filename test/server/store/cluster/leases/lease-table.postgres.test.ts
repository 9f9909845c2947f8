import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  findFree,
  releaseLeases,
  renewLeases,
  takeLeases,
} from '../../../../../src/server/store/cluster/leases/lease-table.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { LeaseLost } from '../../../../../src/server/store/engine/error.ts';
import { type LeaseStore, openLeaseStore } from './lease-store.ts';

let store: LeaseStore;
let db: Database;
beforeEach(async () => {
  store = await openLeaseStore();
  db = store.db;
});
afterEach(async () => await store.close());

const passes = async (seconds: number): Promise<void> => {
  await sql`UPDATE lease SET expires_at = expires_at - ${seconds} * interval '1 second'`.execute(db);
};
it('gives a lease to one process, and to the next in a later epoch once it has expired', async () => {
  expect(await takeLeases(db, 'a', ['poll:1', 'poll:0'])).toEqual([
    { name: 'poll:0', epoch: 1 },
    { name: 'poll:1', epoch: 1 },
  ]);
  expect(await takeLeases(db, 'b', ['poll:0', 'poll:2'])).toEqual([{ name: 'poll:2', epoch: 1 }]);
  await passes(11);
  expect(await takeLeases(db, 'b', ['poll:0'])).toEqual([{ name: 'poll:0', epoch: 2 }]);
  expect(
    await renewLeases(db, [
      { name: 'poll:0', epoch: 1 },
      { name: 'poll:1', epoch: 1 },
    ]),
  ).toEqual(new Set(['poll:1']));
});

it('gives a released lease to the next process at once, in a later epoch', async () => {
  const [lease] = await takeLeases(db, 'a', ['upkeep:0']);
  expect(lease).toBeDefined();
  await releaseLeases(db, lease === undefined ? [] : [lease]);
  expect(await takeLeases(db, 'b', ['upkeep:0'])).toEqual([{ name: 'upkeep:0', epoch: 2 }]);
  // A release that arrives late takes nothing from the next holder.
  await releaseLeases(db, lease === undefined ? [] : [lease]);
  expect(await takeLeases(db, 'c', ['upkeep:0'])).toEqual([]);
});

it('gives each lease to exactly one of many processes that ask at once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `follow:s${index}`);
  for (let time = 1; time <= 5; time += 1) {
    const taken = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => await takeLeases(db, `p${index}`, names)),
    );
    expect(
      taken
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(new Set(taken.flat().map(({ epoch }) => epoch))).toEqual(new Set([time]));
    await passes(11);
  }
});

it('leaves a lease to its holder while a fenced transaction is open, though it has expired', async () => {
  await takeLeases(db, 'a', ['follow:s', 'bans:l']);
  const fenced = (await store.connect()).fenced([
    { name: 'follow:s', epoch: 1 },
    { name: 'bans:l', epoch: 1 },
  ]);
  await fenced.transaction().execute(async () => {
    // Renewing does not wait for the transaction.
    expect(await renewLeases(db, [{ name: 'follow:s', epoch: 1 }])).toEqual(new Set(['follow:s']));
    await passes(11);
    expect(await takeLeases(db, 'b', ['follow:s', 'bans:l'])).toEqual([]);
  });
  expect(await takeLeases(db, 'b', ['bans:l'])).toEqual([{ name: 'bans:l', epoch: 2 }]);
  const change = fenced.updateTable('rights').set({ revision: 99 }).execute();
  await expect(change).rejects.toThrow(LeaseLost);
  expect(await db.selectFrom('rights').select('revision').execute()).not.toContainEqual({ revision: 99 });
});

it('lets no transaction of the old epoch begin while the lease is being taken', async () => {
  await takeLeases(db, 'a', ['follow:s']);
  await passes(11);
  const other = await store.connect();
  const late = other.fenced([{ name: 'follow:s', epoch: 1 }]);
  let began = false;
  let fenced: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    expect(await takeLeases(tx, 'b', ['follow:s'])).toEqual([{ name: 'follow:s', epoch: 2 }]);
    fenced = late
      .transaction()
      .execute(async () => (began = true))
      .catch((error: unknown) => error);
    const waiting = sql`SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`;
    await expect.poll(async () => (await waiting.execute(other.unlocked)).rows.length).toBe(1);
  });
  expect(await fenced).toBeInstanceOf(LeaseLost);
  expect(began).toBe(false);
});

it('gives leases out again when the clock of the database was set back', async () => {
  await takeLeases(db, 'a', ['poll:0']);
  await passes(-3_600);
  expect([...(await findFree(db, ['poll:0']))]).toEqual(['poll:0']);
  expect(await takeLeases(db, 'b', ['poll:0'])).toEqual([{ name: 'poll:0', epoch: 2 }]);
});

it('finds what is free', async () => {
  await takeLeases(db, 'a', ['poll:0', 'poll:1']);
  await takeLeases(db, 'b', ['poll:2']);
  expect([...(await findFree(db, ['poll:2', 'poll:3']))]).toEqual(['poll:3']);
});
