import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { leaseHolders, LeaseTable } from '../../../../src/server/store/cluster/lease-table.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { LeaseLost } from '../../../../src/server/store/engine/error.ts';
import { type LeaseStore, openLeaseStore } from './lease-store.ts';

let store: LeaseStore;
let db: Database;
beforeEach(async () => {
  store = await openLeaseStore();
  db = store.db;
});
afterEach(async () => await store.close());

const passes = async (seconds: number): Promise<void> => {
  const earlier = sql`SET expires_at = expires_at - ${seconds} * interval '1 second'`;
  await sql`UPDATE lease ${earlier}`.execute(db);
  await sql`UPDATE lease_candidate ${earlier}`.execute(db);
};

const leases = (owner: string): LeaseTable => new LeaseTable(db, owner);

async function take(owner: string, names: readonly string[], most = names.length) {
  await leases(owner).create(names);
  const taken = await leases(owner).take(names, most);
  return taken.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

it('gives a lease to one process, and to the next in a later epoch once it has expired', async () => {
  expect(await take('a', ['poll:1', 'poll:0'])).toEqual([
    { name: 'poll:0', epoch: 1 },
    { name: 'poll:1', epoch: 1 },
  ]);
  expect(await take('b', ['poll:0', 'poll:2'])).toEqual([{ name: 'poll:2', epoch: 1 }]);
  await passes(11);
  expect(await take('b', ['poll:0'])).toEqual([{ name: 'poll:0', epoch: 2 }]);
  expect(await leases('a').renew(['poll:0', 'poll:1'])).toEqual([{ name: 'poll:1', epoch: 1 }]);
});

it('takes no more than asked for', async () => {
  const names = ['poll:0', 'poll:1', 'poll:2'];
  expect(await take('a', names, 2)).toHaveLength(2);
  expect(await take('b', names, 2)).toHaveLength(1);
});

it('gives a released lease to the next process at once, in a later epoch', async () => {
  await take('a', ['upkeep']);
  await leases('a').release(['upkeep']);
  expect(await take('b', ['upkeep'])).toEqual([{ name: 'upkeep', epoch: 2 }]);
  // A release that arrives late takes nothing from the next holder.
  await leases('a').release(['upkeep']);
  expect(await take('c', ['upkeep'])).toEqual([]);
});

it('gives each lease to exactly one of many processes that ask at once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `follow:s${index}`);
  for (let time = 1; time <= 5; time += 1) {
    const owners = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const taken = (await Promise.all(owners.map(async (owner) => await take(owner, names)))).flat();
    expect(taken.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([time]));
    await passes(11);
  }
});

it('leaves a lease to its holder while a fenced transaction is open, though it has expired', async () => {
  await take('a', ['follow:s', 'bans:l']);
  const fenced = (await store.connect()).fenced([
    { name: 'follow:s', epoch: 1 },
    { name: 'bans:l', epoch: 1 },
  ]);
  await fenced.transaction().execute(async () => {
    // Renewing does not wait for the transaction.
    expect(await leases('a').renew(['follow:s'])).toHaveLength(1);
    await passes(11);
    expect(await take('b', ['follow:s', 'bans:l'])).toEqual([]);
  });
  expect(await take('b', ['bans:l'])).toEqual([{ name: 'bans:l', epoch: 2 }]);
  const change = fenced.updateTable('rights').set({ revision: 99 }).execute();
  await expect(change).rejects.toThrow(LeaseLost);
  expect(await db.selectFrom('rights').select('revision').execute()).not.toContainEqual({ revision: 99 });
});

it('lets no transaction of the old epoch begin while the lease is being taken', async () => {
  await take('a', ['follow:s']);
  await passes(11);
  const other = await store.connect();
  const late = other.fenced([{ name: 'follow:s', epoch: 1 }]);
  let began = false;
  let fenced: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    expect(await new LeaseTable(tx, 'b').take(['follow:s'], 1)).toEqual([{ name: 'follow:s', epoch: 2 }]);
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

it('counts the processes that want the same leases, until they stop or are silent for ten seconds', async () => {
  await leases('a').announce(['polls', 'bot']);
  await leases('b').announce(['polls']);
  await passes(5);
  await leases('a').announce(['polls', 'bot']);
  await leases('c').announce(['polls']);
  expect(Object.fromEntries(await leases('a').countCandidates())).toEqual({ polls: 3, bot: 1 });
  await passes(6);
  await leases('c').releaseAll();
  expect(Object.fromEntries(await leases('a').countCandidates())).toEqual({ polls: 1, bot: 1 });
});

it('lists who holds what, and processes that hold nothing', async () => {
  await leases('idle').announce(['polls']);
  await take('gone', ['poll:2']);
  await passes(9);
  await leases('idle').announce(['polls']);
  await take('busy', ['poll:1', 'poll:0']);
  await passes(2);
  expect(await leaseHolders(db)).toEqual([
    { owner: 'busy', leases: ['poll:0', 'poll:1'] },
    { owner: 'idle', leases: [] },
  ]);
});
