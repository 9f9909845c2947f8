import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Decision } from '../../../../src/server/http/limits/limits.ts';
import { SharedLimiter } from '../../../../src/server/http/limits/shared-limiter.ts';
import { openWriter, type WriteDatabase } from '../../../../src/server/store/engine/database.ts';
import {
  createRequestLimits,
  type RequestGroup,
  type RequestLimits,
} from '../../../../src/server/store/cluster/request-limits.ts';
import { openNewDatabase, patient, type NewStore } from '../../../harness/new-store.ts';
import { onServer } from '../../../harness/postgres-databases.ts';
import { startPostgres } from '../../../harness/postgres.ts';

let store: NewStore;
let limits: RequestLimits;
const opened: WriteDatabase[] = [];
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  limits = limitsOf(store);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await store.close();
});

const log = pino({ level: 'silent' });
const limitsOf = ({ shared }: WriteDatabase): RequestLimits => {
  if (shared === undefined) throw new Error('expected a store that processes share');
  return createRequestLimits(shared);
};
/** Another process's connections to the same store. */
async function another(): Promise<RequestLimits> {
  const writer = await openWriter(store.location, { busyTimeoutMs: 10_000, limits: patient });
  opened.push(writer);
  return limitsOf(writer);
}

const minute = { name: 'token', quota: 120, windowSeconds: 60 };
const group = (over: Partial<RequestGroup> = {}): RequestGroup => ({
  key: 'key',
  wanted: 1,
  grant: null,
  policies: [minute],
  ...over,
});
const admitted = async (from: RequestLimits, clockMs: number | null, wanted = 1): Promise<number> =>
  (await from.take([group({ wanted })], clockMs))[0]?.admitted ?? 0;

it('admits 120 in any window, and all 120, however four processes share the requests', async () => {
  const processes = [limits, await another(), await another(), await another()];
  const policy = { ...minute, windowSeconds: 1 };
  const decisions: Decision[] = [];
  const limiters = processes.map((own) => new SharedLimiter({ limits: own, log }));
  const counts: number[] = [];
  const moments: { before: number; admitted: number; after: number }[] = [];
  // By the database's clock: each burst wants more than a window admits.
  for (let burst = 0; burst < 6; burst += 1) {
    const before = performance.now();
    const made = await Promise.all(
      Array.from(
        { length: 200 },
        async () => await limiters[Math.floor(Math.random() * 4)]?.take('key', [policy], null),
      ),
    );
    const count = made.filter((one) => one !== undefined && one !== 'revoked' && one.admitted).length;
    counts.push(count);
    moments.push({ before, admitted: count, after: performance.now() });
    decisions.push(...made.flatMap((one) => one ?? []));
    await delay(300);
  }
  expect(decisions).toHaveLength(1_200);
  // All 120, and more only where the burst took longer than a window.
  expect(counts[0]).toBeGreaterThanOrEqual(120);
  // Whatever lies within one window for certain is at most the quota.
  for (const first of moments) {
    const within = moments.filter(
      ({ before, after }) => before >= first.before && after <= first.before + 1_000,
    );
    expect(within.reduce((sum, one) => sum + one.admitted, 0)).toBeLessThanOrEqual(120);
  }
  await expect
    .poll(
      async () => (await limits.take([group({ wanted: 0, policies: [policy] })]))[0]?.policies[0]?.remaining,
    )
    .toBe(120);
  expect((await limits.take([group({ wanted: 200, policies: [policy] })]))[0]?.admitted).toBe(120);
});

it('admits 120 in any 60 seconds of a random hour, over four processes', async () => {
  const processes = [limits, await another(), await another(), await another()];
  const moments: number[] = [];
  let now = 5_000_000;
  for (let step = 0; step < 150; step += 1) {
    now += Math.random() * 20_000;
    const found = await Promise.all(
      processes.map((own) => admitted(own, now, Math.floor(Math.random() * 40))),
    );
    for (const count of found) moments.push(...Array<number>(count).fill(now));
  }
  const inWindow = moments.map((end) => moments.filter((at) => at > end - 60_000 && at <= end).length);
  expect(Math.max(...inWindow)).toBe(120);
});

it.each([-3_600_000, 3_600_000])(
  'locks a token out for a window at most when the clock is set by %s ms',
  async (ms) => {
    const before = 10_000_000;
    expect(await admitted(limits, before, 100)).toBe(100);
    expect(await admitted(limits, before + 30_000, 100)).toBe(20);
    const after = before + 30_000 + ms;
    // Set back, no time is known to have passed: nothing more is admitted than before.
    const first = await admitted(limits, after, 200);
    expect(first).toBe(ms < 0 ? 0 : 120);
    expect(await admitted(limits, after + 59_999, 200)).toBe(ms < 0 ? 100 : 0);
    expect(first + (await admitted(limits, after + 60_000, 200))).toBe(ms < 0 ? 20 : 240);
  },
);

it('forgets what is older than a window, in a store that has counted for months', async () => {
  let now = 0;
  for (let step = 0; step < 200; step += 1) {
    now += 30_000;
    expect(await admitted(limits, now, 60)).toBe(60);
  }
  const { rows } = await sql<{
    size: number;
  }>`SELECT cardinality(moments) AS size FROM request_limit`.execute(store.db);
  expect(rows).toEqual([{ size: 2 }]);
  // Across the largest difference that an entry can hold.
  expect(await admitted(limits, now + 40 * 86_400_000, 200)).toBe(120);
});

it('counts requests of two policies and several keys in one call, in whatever order', async () => {
  const players = { name: 'players', quota: 2, windowSeconds: 30 };
  const groups = [
    group({ key: 'b', wanted: 3, policies: [players, minute] }),
    group({ key: 'a', wanted: 130 }),
    group({ key: 'c', wanted: 0 }),
  ];
  expect((await limits.take(groups, 1_000)).map((one) => one.admitted)).toEqual([2, 120, 0]);
  const [b, a] = await limits.take([group({ key: 'b' }), group({ key: 'a' })], 1_000);
  expect([b?.policies, a?.policies]).toEqual([
    [{ remaining: 117, resetMs: 60_000 }],
    [{ remaining: 0, resetMs: 60_000 }],
  ]);
});

it('waits for no other process in a circle, whatever order their requests have', async () => {
  const processes = [limits, await another(), await another(), await another()];
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  const all = await Promise.all(
    processes.flatMap((own, process) =>
      Array.from({ length: 15 }, (_, round) => {
        const order = keys.toSorted(() => ((process + round) % 2 === 0 ? -1 : 1));
        return own.take(order.map((key) => group({ key })));
      }),
    ),
  );
  expect(all.flat().every((one) => one.admitted === 1)).toBe(true);
});

it('deletes keys without counted requests, and no others', async () => {
  await limits.take([group({ key: 'old' })], 1_000);
  await limits.take([group({ key: 'new' })]);
  await limits.sweep();
  const { rows } = await sql<{ key: string }>`SELECT key FROM request_limit`.execute(store.db);
  expect(rows).toEqual([{ key: 'new' }]);
});

it('sends the requests of a moment in one call, and the next while it is under way in another', async () => {
  const calls: number[] = [];
  let release: (() => void) | undefined;
  const counting: RequestLimits = {
    ...limits,
    async take(groups) {
      calls.push(groups.reduce((sum, { wanted }) => sum + wanted, 0));
      if (calls.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return await limits.take(groups);
    },
  };
  const limiter = new SharedLimiter({ limits: counting, log });
  const first = Array.from({ length: 30 }, async () => await limiter.take('key', [minute], null));
  await expect.poll(() => calls).toEqual([30]);
  const second = Array.from({ length: 50 }, async () => await limiter.take('key', [minute], null));
  await delay(20);
  expect(calls).toEqual([30]);
  release?.();
  await Promise.all([...first, ...second]);
  expect(calls).toEqual([30, 50]);
});

it('does not wait until the disk has the counts, but until it has everything else', async () => {
  // Of this server no commit ends that waits: there is no such standby.
  const server = await startPostgres(undefined, {
    synchronous_commit: 'on',
    wal_level: 'replica',
    max_wal_senders: '1',
  });
  const set = async (standbys: string): Promise<void> =>
    void (await onServer(
      server.url('postgres'),
      `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`,
      'SELECT pg_reload_conf()',
    ));
  const writer = await openWriter(server.url('postgres'), { busyTimeoutMs: 10_000, limits: patient });
  onTestFinished(async () => {
    await server.remove();
    await writer.close();
  });
  await set('none');
  const others: Promise<unknown>[] = [];
  const waiting = async (): Promise<unknown[]> => {
    // The server does not know the standby at once.
    others.push(writer.db.updateTable('rights').set({ revision: 7 }).execute());
    return await onServer(
      server.url('postgres'),
      "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
  };
  await expect.poll(waiting).toHaveLength(1);
  for (const left of [119, 118]) {
    const [result] = await limitsOf(writer).take([group()]);
    expect(result?.policies[0]?.remaining).toBe(left);
  }
  await set('');
  await Promise.all(others);
});

it('admits only while the token’s application has its generation', async () => {
  await store.db
    .insertInto('project')
    .values({ id: 'p', slug: 'p', name: 'P', plan: 'PRO', suspended: 0, support: '{}', active: 1 })
    .execute();
  await store.db
    .insertInto('application')
    .values({
      id: 'app',
      project_id: 'p',
      name: 'a',
      secret_hash: '',
      generation: 3,
      scopes: '[]',
      requests_per_minute: null,
      created_at: 0,
      rotated_at: null,
      revoked_at: null,
      last_used_at: null,
      embedded: 0,
    })
    .execute();
  const limiter = new SharedLimiter({
    limits,
    log,
  });
  const grant = { applicationId: 'app', generation: 3 };
  expect(await limiter.take('key', [minute], grant)).toMatchObject({ admitted: true, remaining: 119 });
  expect(await limiter.take('key', [minute], { ...grant, generation: 2 })).toBe('revoked');
  await store.db.updateTable('application').set({ generation: 4 }).execute();
  expect(await limiter.take('key', [minute], grant)).toBe('revoked');
  await store.db.updateTable('application').set({ generation: 3, revoked_at: 5 }).execute();
  expect(await limiter.take('key', [minute], grant)).toBe('revoked');
  await store.db.updateTable('application').set({ revoked_at: null, last_used_at: 5 }).execute();
  expect(await limiter.take('key', [minute], grant)).toMatchObject({ admitted: true, remaining: 118 });
});
