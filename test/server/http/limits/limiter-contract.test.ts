import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, type Decision, type Limiter } from '../../../../src/server/http/limits/limits.ts';
import { openNewStore, type NewStore } from '../../../harness/new-store.ts';
import { sharedLimiterOf } from '../../../harness/service.ts';

// The limiter in memory, or where the tests run on PostgreSQL, the one that processes share.

let folder: string;
let store: NewStore;
let limiter: Limiter;
let nowMs: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-limiter-'));
  store = await openNewStore(join(folder, 'outpost.sqlite'), { busyTimeoutMs: 5_000 });
  nowMs = 1_000_000;
  const now = (): number => nowMs;
  limiter = sharedLimiterOf(store, pino({ level: 'silent' }), now) ?? createLimiter(now);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const token = { name: 'token', quota: 5, windowSeconds: 60 };
const players = { name: 'players', quota: 2, windowSeconds: 30 };

function shown(decision: Decision): unknown {
  if (decision === 'revoked') return decision;
  const { admitted, remaining, resetSeconds } = decision;
  return [admitted, remaining, resetSeconds];
}

it('decides each request as a list of the admitted moments does', async () => {
  /** Admitted moments by key and policy. */
  const counted = new Map<string, number[]>();
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let admissions = 0;
  let refusals = 0;
  for (let step = 0; step < 400; step += 1) {
    nowMs += random(4) * 1_700 + random(3) * 0.25;
    const key = `key ${random(2)}`;
    // The quota of a token may change with the config.
    const policies = random(3) === 0 ? [{ ...token, quota: 3 + random(4) }, players] : [token];
    const counts = random(5) > 0;
    const states = policies.map(({ name, quota, windowSeconds }) => {
      const id = `${key} ${name}`;
      const live = (counted.get(id) ?? []).filter((at) => at + windowSeconds * 1000 > nowMs);
      counted.set(id, live);
      return { live, quota, windowMs: windowSeconds * 1000 };
    });
    const isOpen = states.every(({ live, quota }) => live.length < quota);
    if (isOpen && counts) for (const { live } of states) live.push(nowMs);
    const expected = states.map(({ live, quota, windowMs }) => ({
      remaining: Math.max(0, quota - live.length),
      resetSeconds: Math.ceil(((live[Math.max(0, live.length - quota)] ?? nowMs) - nowMs + windowMs) / 1000),
    }));
    const decision = await (counts ? limiter.take(key, policies, null) : limiter.check(key, policies, null));
    if (decision === 'revoked') throw new Error('expected a decision');
    expect(decision.admitted, `step ${step}`).toBe(isOpen);
    expect(decision.headers[3], `step ${step}`).toBe(
      expected
        .map(
          ({ remaining, resetSeconds }, index) =>
            `"${policies[index]?.name}";r=${remaining};t=${resetSeconds}`,
        )
        .join(', '),
    );
    if (counts && isOpen) admissions += 1;
    if (!isOpen) refusals += 1;
  }
  expect([admissions > 50, refusals > 50]).toEqual([true, true]);
});

it('admits requests that arrive together one after the other, under several policies at once', async () => {
  const taken = await Promise.all(
    Array.from(
      { length: 4 },
      async (_, index) => await limiter.take('key', index === 1 ? [token, players] : [token], null),
    ),
  );
  expect(taken.map((one) => (one === 'revoked' ? one : one.admitted))).toEqual([true, true, true, true]);
  expect(shown(await limiter.check('key', [token], null))).toEqual([true, 1, 60]);
  const rest = await Promise.all(
    Array.from({ length: 3 }, async () => await limiter.take('key', [token, players], null)),
  );
  expect(rest.map((one) => one !== 'revoked' && one.admitted)).toEqual([true, false, false]);
  expect(shown(await limiter.check('key', [token], null))).toEqual([false, 0, 60]);
});

it('counts a request that a second policy refuses under none', async () => {
  for (let index = 0; index < 4; index += 1) await limiter.take('key', [token, players], null);
  expect(shown(await limiter.check('key', [token], null))).toEqual([true, 3, 60]);
});

it('keeps what was spent when the quota changes', async () => {
  for (let index = 0; index < 5; index += 1) {
    nowMs += 1_000;
    await limiter.take('key', [token], null);
  }
  const lower = { ...token, quota: 2 };
  // Of five, four have to expire.
  expect(shown(await limiter.take('key', [lower], null))).toEqual([false, 0, 59]);
  expect(shown(await limiter.take('key', [{ ...token, quota: 6 }], null))).toEqual([true, 0, 56]);
});

it('never admits more than a large quota in a window, and about as many', async () => {
  const large = { name: 'token', quota: 5_000, windowSeconds: 60 };
  const admitted: number[] = [];
  for (let round = 0; round < 120; round += 1) {
    nowMs += 1_013;
    const decisions = await Promise.all(
      Array.from({ length: 100 }, async () => await limiter.take('key', [large], null)),
    );
    for (const decision of decisions) if (decision !== 'revoked' && decision.admitted) admitted.push(nowMs);
  }
  const inWindow = admitted.map((end) => admitted.filter((at) => at > end - 60_000 && at <= end).length);
  expect(Math.max(...inWindow)).toBe(5_000);
});
