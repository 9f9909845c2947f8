import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { test } from 'vitest';
import type { Claim, LeaseKind, Leases } from '../../../../../src/process/leases.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { LeaseKeeper } from '../../../../../src/server/store/cluster/leases/keeper.ts';
import {
  listProcesses,
  registerProcess,
} from '../../../../../src/server/store/cluster/leases/process-table.ts';
import { type LeaseStore, openLeaseStore } from './lease-store.ts';

const log = pino({ level: 'silent' });
const settles = { timeout: 30_000, interval: 50 };

/** A process; its clock can be stepped on. */
async function startProcess(store: LeaseStore, owner: string) {
  let aheadMs = 0;
  const connected = (await store.connect()).leases;
  let db: Database | null = connected;
  const away = new Proxy({} as Database, {
    get() {
      throw new Error('the store is away');
    },
  });
  const through = new Proxy({} as Database, {
    get(_target, name) {
      const real = db ?? away;
      const member = Reflect.get(real, name) as unknown;
      return typeof member === 'function' ? (member.bind(real) as unknown) : member;
    },
  });
  const leases = new LeaseKeeper({ db: through, log, monotonic: () => performance.now() + aheadMs, owner });
  const changes: string[][] = [];
  const claim = (kind: LeaseKind, names: string[], options: { outlivesStore?: boolean } = {}): Claim => {
    const made = leases.claim(kind, { ...options, onChange: (held) => void changes.push([...held.keys()]) });
    made.want(names);
    return made;
  };
  return {
    leases,
    claim,
    changes,
    loseStore: () => (db = null),
    findStore: () => (db = connected),
    step: (ms: number) => (aheadMs += ms),
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

it('leaves everything to processes of a newer version once they have changed the store', async ({
  expect,
  start,
  store,
}) => {
  const old = await start('old');
  const claim = old.claim('poll', polls);
  await expect.poll(() => sizes(claim), settles).toEqual([12]);
  await sql`INSERT INTO kysely_migration VALUES ('1.1.0-newer', 'now')`.execute(store.db);
  await expect.poll(() => sizes(claim), settles).toEqual([0]);
  await expect.poll(async () => await listProcesses(store.db), settles).toEqual([]);
  old.claim('follow', ['follow:1']);
  await expect.poll(() => old.leases.state().unheld.length, settles).toBe(13);
});

it('shares leases evenly with a process that comes, and moves none after that', async ({ expect, start }) => {
  const a = await start('a');
  const one = a.claim('poll', polls);
  await expect.poll(() => sizes(one), settles).toEqual([12]);
  const b = await start('b');
  const two = b.claim('poll', polls);
  await expect.poll(() => sizes(one, two), settles).toEqual([6, 6]);
  const names = [...one.held().keys(), ...two.held().keys()];
  expect(names.toSorted()).toEqual(polls.toSorted());
  const before = [a.changes.length, b.changes.length];
  const renewals = a.leases.state().renewedAgoMs ?? 0;
  // Two renewals later.
  for (let i = 0; i < 2; i += 1) {
    await expect.poll(() => a.leases.state().renewedAgoMs ?? 0, settles).toBeGreaterThan(2_000);
    await expect.poll(() => a.leases.state().renewedAgoMs ?? 9_999, settles).toBeLessThan(2_000);
  }
  expect(renewals).toBeGreaterThanOrEqual(0);
  expect([a.changes.length, b.changes.length]).toEqual(before);
});

it('gives everything to the others when a process stops', async ({ expect, start }) => {
  const a = await start('a');
  const one = a.claim('poll', polls);
  await expect.poll(() => sizes(one), settles).toEqual([12]);
  const two = (await start('b')).claim('poll', polls);
  await a.leases.close();
  await expect.poll(() => sizes(two), settles).toEqual([12]);
  expect([...two.held().values()]).toEqual(Array(12).fill(2));
});

it('ends its work before the lease expires when the store is away, and begins again with it', async ({
  expect,
  start,
  store,
}) => {
  const a = await start('a');
  const claim = a.claim('follow', ['follow:s']);
  await expect.poll(() => sizes(claim), settles).toEqual([1]);
  a.loseStore();
  a.step(8_600);
  expect(sizes(claim)).toEqual([0]);
  await expect.poll(() => a.changes.at(-1), settles).toEqual([]);
  await expect.poll(() => a.leases.state().failedRenewals, settles).toBeGreaterThan(0);
  a.findStore();
  await sql`UPDATE lease SET expires_at = clock_timestamp()`.execute(store.db);
  await expect.poll(() => [...claim.held().values()], settles).toEqual([2]);
});

it('keeps work that outlives the store until another process is known to have it', async ({
  expect,
  start,
  store,
}) => {
  const a = await start('a');
  const claim = a.claim('bot', ['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(claim), settles).toEqual([1]);
  const failures = (): number => a.leases.state().failedRenewals;
  a.loseStore();
  for (let i = 1; i <= 4; i += 1) {
    await expect.poll(failures, settles).toBeGreaterThanOrEqual(i);
    expect(sizes(claim)).toEqual([1]);
    a.step(5_000);
  }
  await expect.poll(failures, settles).toBeGreaterThan(4);
  expect(sizes(claim)).toEqual([1]);
  await sql`UPDATE lease SET owner = 'b', epoch = epoch + 1, expires_at = clock_timestamp() + interval '9 seconds'
    WHERE name = 'bot'`.execute(store.db);
  a.findStore();
  await expect.poll(() => sizes(claim), settles).toEqual([0]);
  expect(a.leases.state().lost).toBe(1);
});

it('leaves work that outlives the store to the process that has it when the store is back', async ({
  expect,
  start,
  store,
}) => {
  // The lease belongs to the first one by its weight.
  const [a, b] = [await start('d'), await start('a')];
  const one = a.claim('bot', ['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(one), settles).toEqual([1]);
  const two = b.claim('bot', ['bot'], { outlivesStore: true });
  for (const process of [a, b]) process.loseStore();
  for (const { leases } of [a, b])
    await expect.poll(() => leases.state().failedRenewals, settles).toBeGreaterThan(1);
  await sql`UPDATE lease SET expires_at = clock_timestamp()`.execute(store.db);
  b.findStore();
  await expect.poll(() => b.leases.state().renewedAgoMs, settles).toBeLessThan(1_000);
  // A busy process may need several attempts.
  await delay(5_000);
  a.findStore();
  await delay(6_000);
  expect([...one.held().values()]).toEqual([1]);
  expect([sizes(two), b.changes]).toEqual([[0], []]);
  // One that is gone for good is replaced. A statement that is answered late counts as failed, and raises the epoch twice.
  a.loseStore();
  await sql`UPDATE lease SET expires_at = clock_timestamp() WHERE name = 'bot'`.execute(store.db);
  await expect.poll(() => two.held().get('bot'), settles).toBeGreaterThan(1);
});

it('ends work that outlives the store when the process has slept for longer than a lease lasts', async ({
  expect,
  start,
}) => {
  const a = await start('a');
  const claim = a.claim('bot', ['bot'], { outlivesStore: true });
  await expect.poll(() => sizes(claim), settles).toEqual([1]);
  a.loseStore();
  await expect.poll(() => a.leases.state().failedRenewals, settles).toBeGreaterThan(0);
  a.step(30_000);
  expect(sizes(claim)).toEqual([0]);
  await expect.poll(() => a.changes.at(-1), settles).toEqual([]);
  expect(a.leases.state().lost).toBe(1);
});

it('learns that a lease was taken over, and ends its work', async ({ expect, start, store }) => {
  const a = await start('a');
  const claim = a.claim('follow', ['follow:s']);
  await expect.poll(() => sizes(claim), settles).toEqual([1]);
  await sql`UPDATE lease SET owner = 'b', epoch = 7, expires_at = clock_timestamp() + interval '9 seconds'
    WHERE name = 'follow:s'`.execute(store.db);
  await expect.poll(() => sizes(claim), settles).toEqual([0]);
});

it('takes over what a process held that is gone without a word', async ({ expect, start, store }) => {
  const a = await start('a');
  const one = a.claim('bans', ['bans:x']);
  await expect.poll(() => sizes(one), settles).toEqual([1]);
  a.loseStore();
  const two = (await start('b')).claim('bans', ['bans:x']);
  await sql`UPDATE lease SET expires_at = clock_timestamp() WHERE name = 'bans:x'`.execute(store.db);
  await expect.poll(() => two.held().get('bans:x'), settles).toBeGreaterThan(1);
});

it('keeps what no other process can do', async ({ expect, start }) => {
  const a = await start('a');
  const one = a.claim('follow', ['follow:1', 'follow:2', 'follow:3']);
  await expect.poll(() => sizes(one), settles).toEqual([3]);
  const b = await start('b');
  const two = b.claim('follow', ['follow:4']);
  await expect.poll(() => sizes(one, two), settles).toEqual([3, 1]);
  one.want(['follow:1']);
  await expect.poll(() => sizes(one), settles).toEqual([1]);
  expect(a.leases.state().unheld).toEqual([]);
});

it('gives a process that is slow to take them no more leases than its share', async ({
  expect,
  start,
  store,
  onTestFinished,
}) => {
  const a = await start('a');
  const one = a.claim('poll', polls);
  await expect.poll(() => sizes(one), settles).toEqual([12]);
  // It takes part, and takes nothing.
  const slow = await store.connect();
  // The store is closed before the beat ends.
  const register = () => void registerProcess(slow.leases, 'slow', polls).catch(() => undefined);
  const beat = setInterval(register, 500);
  onTestFinished(() => clearInterval(beat));
  await expect.poll(() => sizes(one), settles).toEqual([10]);
  for (let round = 0; round < 20; round += 1) {
    one.want(polls);
    await delay(50);
  }
  expect(sizes(one)).toEqual([10]);
});

it('takes what belongs to a process that does not take it', async ({
  expect,
  start,
  store,
  onTestFinished,
}) => {
  const a = await start('a');
  const slow = await store.connect();
  const register = async (): Promise<void> => await registerProcess(slow.leases, 'slow', polls);
  await register();
  const beat = setInterval(() => void register().catch(() => undefined), 500);
  onTestFinished(() => clearInterval(beat));
  const one = a.claim('poll', polls);
  await expect.poll(() => sizes(one), settles).toEqual([12]);
});

it('leaves no process with the leases of all kinds of which there is one, after a stop as well', async ({
  expect,
  start,
}) => {
  const kinds = ['upkeep', 'follow', 'bans'] as const;
  const join = async (owner: string) => {
    const { leases, claim, changes } = await start(owner);
    for (const kind of kinds) claim(kind, [`${kind}:only`]);
    claim('poll', polls.slice(1));
    const singles = (): number => leases.state().held.filter(({ name }) => !name.startsWith('poll')).length;
    return { leases, changes, singles };
  };
  const a = await join('a');
  await expect.poll(a.singles, settles).toBe(3);
  const b = await join('b');
  const c = await join('c');
  const inOrder = (...all: (typeof a)[]): number[] =>
    all.map(({ singles }) => singles()).toSorted((one, other) => one - other);
  await expect.poll(() => inOrder(a, b, c), { ...settles, timeout: 90_000 }).toEqual([1, 1, 1]);
  await c.leases.close();
  await expect.poll(() => inOrder(a, b), { ...settles, timeout: 90_000 }).toEqual([1, 2]);
  await expect.poll(() => [a, b].map(({ leases }) => leases.state().held.length), settles).toEqual([7, 7]);
  const before = a.changes.length + b.changes.length;
  await delay(8_000);
  expect([inOrder(a, b), a.changes.length + b.changes.length]).toEqual([[1, 2], before]);
});

it('leaves the bot with the process that has it, whoever comes', async ({ expect, start }) => {
  const join = async (owner: string) => {
    const { claim } = await start(owner);
    return { bot: claim('bot', ['bot'], { outlivesStore: true }), polls: claim('poll', polls) };
  };
  const first = await join('a');
  await expect.poll(() => sizes(first.bot, first.polls), settles).toEqual([1, 12]);
  const others = await Promise.all(['b', 'c', 'd'].map(join));
  await expect.poll(() => sizes(first.polls), { ...settles, timeout: 90_000 }).toEqual([3]);
  expect(first.bot.held()).toEqual(new Map([['bot', 1]]));
  expect(sizes(...others.map(({ bot }) => bot))).toEqual([0, 0, 0]);
});
