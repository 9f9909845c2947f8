import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { test } from 'vitest';
import type { Claim, Leases } from '../../../../src/process/leases.ts';
import { LeaseKeeper } from '../../../../src/server/store/cluster/lease-keeper.ts';
import { leaseMs } from '../../../../src/server/store/cluster/lease-table.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { type LeaseStore, openLeaseStore } from './lease-store.ts';

const log = pino({ level: 'silent' });

/** A process; its clock can be stepped on, and its way to the store cut. */
async function startProcess(store: LeaseStore, owner: string) {
  let aheadMs = 0;
  let isAway = false;
  const real = (await store.connect()).leases;
  const db = new Proxy({} as Database, {
    get(_target, name) {
      if (isAway) throw new Error('the store is away');
      const member = Reflect.get(real, name) as unknown;
      return typeof member === 'function' ? (member.bind(real) as unknown) : member;
    },
  });
  const leases = new LeaseKeeper({ db, log, monotonic: () => performance.now() + aheadMs, owner });
  const changes: string[][] = [];
  return {
    leases,
    changes,
    claim(names: string[], options: { outlivesStore?: boolean } = {}): Claim {
      const made = leases.claim({ ...options, onChange: (held) => void changes.push([...held.keys()]) });
      made.want(names);
      return made;
    },
    cut: () => (isAway = true),
    mend: () => (isAway = false),
    step: (ms: number) => (aheadMs += ms),
    /** Renewals that have succeeded since it was cut make this small again. */
    renewedAgoMs: () => leases.state().renewedAgoMs ?? Number.POSITIVE_INFINITY,
  };
}

/** Most of their time they wait for renewals, so they run side by side: each with a store of its own, and its own `expect`. */
const it = test.extend<{ store: LeaseStore; start: (owner: string) => ReturnType<typeof startProcess> }>({
  // oxlint-disable-next-line no-empty-pattern
  async store({}, use) {
    const store = await openLeaseStore();
    await use(store);
    await store.close();
  },
  async start({ store }, use) {
    const open: Leases[] = [];
    await use(async (owner) => {
      const process = await startProcess(store, owner);
      open.push(process.leases);
      return process;
    });
    await Promise.all(open.map((leases) => leases.close()));
  },
}).concurrent;

const polls = Array.from({ length: 12 }, (_, index) => `poll:${index}`);
const sizes = (...claims: Claim[]): number[] => claims.map((claim) => claim.held().size);
const expire = async (store: LeaseStore): Promise<void> =>
  void (await sql`UPDATE lease SET expires_at = clock_timestamp()`.execute(store.db));
/** When the only lease expires by the database's clock, epoch milliseconds. */
const expiryIn = async (store: LeaseStore): Promise<number> => {
  const { rows } = await sql<{ at: number }>`
    SELECT extract(epoch FROM expires_at) * 1000 AS at FROM lease`.execute(store.db);
  return rows[0]?.at ?? Number.NaN;
};
const giveToAnother = async (store: LeaseStore): Promise<void> =>
  void (await sql`
    UPDATE lease SET owner = 'another', epoch = epoch + 1, expires_at = clock_timestamp() + interval '9 seconds'
  `.execute(store.db));

it('shares leases evenly with a process that comes, one after the other, and moves none after that', async ({
  expect,
  start,
}) => {
  const a = await start('a');
  const one = a.claim(polls);
  await expect.poll(() => sizes(one)).toEqual([12]);
  const b = await start('b');
  const two = b.claim(polls);
  await expect.poll(() => sizes(one, two)).toEqual([6, 6]);
  expect([...one.held().keys(), ...two.held().keys()].toSorted()).toEqual(polls.toSorted());
  expect(a.changes.map((held) => held.length)).toEqual([12, 11, 10, 9, 8, 7, 6]);
  const before = b.changes.length;
  await delay(4_000);
  expect([a.changes.length, b.changes.length]).toEqual([7, before]);
});

it('gives everything to the others when a process stops', async ({ expect, start, store }) => {
  const a = await start('a');
  const one = a.claim(polls);
  await expect.poll(() => sizes(one)).toEqual([12]);
  const two = (await start('b')).claim(polls);
  await a.leases.close();
  const { rows } = await sql`
    SELECT name FROM lease WHERE owner = 'a' AND expires_at > clock_timestamp()`.execute(store.db);
  expect(rows).toEqual([]);
  await expect.poll(() => sizes(two)).toEqual([12]);
  // Some had been let go before.
  expect([...two.held().values()]).toEqual(Array(12).fill(2));
});

it('takes over what a process held that is gone without a word, once that expires', async ({
  expect,
  start,
  store,
}) => {
  const [a, b] = [await start('a'), await start('b')];
  const one = a.claim(['bans:x']);
  await expect.poll(() => sizes(one)).toEqual([1]);
  a.cut();
  const expiresAt = await expiryIn(store);
  const two = b.claim(['bans:x']);
  await expect.poll(() => [...two.held()]).toEqual([['bans:x', 2]]);
  expect((await expiryIn(store)) - leaseMs).toBeGreaterThanOrEqual(expiresAt);
});

it('keeps what no other process wants', async ({ expect, start }) => {
  const a = await start('a');
  const one = a.claim(['follow:1', 'follow:2', 'follow:3']);
  await expect.poll(() => sizes(one)).toEqual([3]);
  const two = (await start('b')).claim(['follow:4']);
  await expect.poll(() => sizes(one, two)).toEqual([3, 1]);
  one.want(['follow:1']);
  await expect.poll(() => sizes(one)).toEqual([1]);
  two.want(['follow:2', 'follow:3']);
  await expect.poll(() => [...two.held().keys()].toSorted()).toEqual(['follow:2', 'follow:3']);
});

it('leaves the bot with the process that has it, whoever comes', async ({ expect, start }) => {
  const bot = (await start('a')).claim(['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(bot)).toEqual([1]);
  const others = await Promise.all(['b', 'c'].map(start));
  const claims = others.map((process) => process.claim(['bot'], { outlivesStore: true }));
  await delay(5_000);
  expect([...bot.held()]).toEqual([['bot', 1]]);
  expect(sizes(...claims)).toEqual([0, 0]);
});

it('leaves everything to processes of a newer version once they have changed the store', async ({
  expect,
  start,
  store,
}) => {
  const claim = (await start('old')).claim(polls);
  await expect.poll(() => sizes(claim)).toEqual([12]);
  await sql`INSERT INTO kysely_migration VALUES ('1.1.0-newer', 'now')`.execute(store.db);
  await expect.poll(() => sizes(claim)).toEqual([0]);
  await expire(store);
  await delay(2_500);
  expect(sizes(claim)).toEqual([0]);
});

it('learns that a lease was taken over, and ends its work', async ({ expect, start, store }) => {
  const a = await start('a');
  const claim = a.claim(['follow:s']);
  await expect.poll(() => sizes(claim)).toEqual([1]);
  await giveToAnother(store);
  await expect.poll(() => sizes(claim)).toEqual([0]);
  expect([a.changes.at(-1), a.leases.state().lost]).toEqual([[], 1]);
});

it('ends its work before the lease expires when the store is away, and begins again with it', async ({
  expect,
  start,
  store,
}) => {
  const a = await start('a');
  const claim = a.claim(['follow:s']);
  await expect.poll(() => sizes(claim)).toEqual([1]);
  a.cut();
  a.step(8_600);
  expect(sizes(claim)).toEqual([0]);
  await expect.poll(() => a.changes.at(-1)).toEqual([]);
  a.mend();
  await expire(store);
  await expect.poll(() => [...claim.held().values()]).toEqual([2]);
});

it('keeps work that outlives the store until another process is known to have it', async ({
  expect,
  start,
  store,
}) => {
  const a = await start('a');
  const claim = a.claim(['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(claim)).toEqual([1]);
  a.cut();
  for (let i = 0; i < 4; i += 1) {
    a.step(4_000);
    // A round, which fails.
    await delay(1_500);
    expect(sizes(claim)).toEqual([1]);
  }
  await giveToAnother(store);
  a.mend();
  await expect.poll(() => sizes(claim)).toEqual([0]);
  expect(a.leases.state().lost).toBe(1);
});

it('leaves work that outlives the store to the process that has it when the store is back', async ({
  expect,
  start,
  store,
}) => {
  const [a, b] = [await start('a'), await start('b')];
  const one = a.claim(['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(one)).toEqual([1]);
  const two = b.claim(['bot'], { outlivesStore: true });
  await expect.poll(b.renewedAgoMs).toBeLessThan(1_000);
  for (const process of [a, b]) process.cut();
  await delay(4_500);
  await expire(store);
  b.mend();
  await expect.poll(b.renewedAgoMs).toBeLessThan(1_000);
  await delay(3_000);
  a.mend();
  await expect.poll(a.renewedAgoMs).toBeLessThan(1_000);
  await delay(8_000);
  expect([...one.held().values()]).toEqual([1]);
  expect([sizes(two), b.changes]).toEqual([[0], []]);
  // One that is gone for good is replaced.
  a.cut();
  await expect.poll(() => [...two.held().values()]).toEqual([2]);
});

it('ends work that outlives the store when the process has slept for longer than a lease lasts', async ({
  expect,
  start,
}) => {
  const a = await start('a');
  const claim = a.claim(['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(claim)).toEqual([1]);
  a.cut();
  await delay(1_500);
  a.step(30_000);
  expect(sizes(claim)).toEqual([0]);
  await expect.poll(() => a.changes.at(-1)).toEqual([]);
  expect(a.leases.state().lost).toBe(1);
});

it('frees a lease only once the work on it has ended', async ({ expect, start, store }) => {
  const { leases } = await start('a');
  let end = (): void => undefined;
  const claim = leases.claim({
    onChange: (held) => (held.size > 0 ? undefined : new Promise<void>((resolve) => (end = resolve))),
  });
  claim.want(['follow:s']);
  await expect.poll(() => sizes(claim)).toEqual([1]);
  const closed = claim.close();
  const isFree = async (): Promise<boolean> => {
    const { rows } = await sql<{ free: number }>`
      SELECT expires_at < clock_timestamp() AS free FROM lease`.execute(store.db);
    return rows[0]?.free === 1;
  };
  await delay(500);
  expect(await isFree()).toBe(false);
  end();
  await closed;
  expect(await isFree()).toBe(true);
});
