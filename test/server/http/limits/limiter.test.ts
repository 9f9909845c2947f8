import { beforeEach, expect, it } from 'vitest';
import { createLimiter, SlidingLog, type Allowance } from '../../../../src/server/http/limits/limiter.ts';

let limiter: ReturnType<typeof createLimiter>;
let nowMs: number;
beforeEach(() => {
  nowMs = 1_000_000;
  limiter = createLimiter(() => nowMs);
});

const token = { name: 'token', quota: 5, windowSeconds: 60 };
const players = { name: 'players', quota: 2, windowSeconds: 30 };

const shown = async (asked: Promise<Allowance>) => {
  const { admitted, remaining, resetSeconds } = await asked;
  return [admitted, remaining, resetSeconds];
};

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
    const decision = await (counts ? limiter.take(key, policies) : limiter.check(key, policies));
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

it('admits requests under several policies at once', async () => {
  const taken = await Promise.all(
    Array.from({ length: 4 }, (_, index) => limiter.take('key', index === 1 ? [token, players] : [token])),
  );
  expect(taken.map(({ admitted }) => admitted)).toEqual([true, true, true, true]);
  expect(await shown(limiter.check('key', [token]))).toEqual([true, 1, 60]);
  const rest = await Promise.all(Array.from({ length: 3 }, () => limiter.take('key', [token, players])));
  expect(rest.map(({ admitted }) => admitted)).toEqual([true, false, false]);
  expect(await shown(limiter.check('key', [token]))).toEqual([false, 0, 60]);
});

it('counts a request that a second policy refuses under none', async () => {
  for (let index = 0; index < 4; index += 1) await limiter.take('key', [token, players]);
  expect(await shown(limiter.check('key', [token]))).toEqual([true, 3, 60]);
});

it('keeps what was spent when the quota changes', async () => {
  for (let index = 0; index < 5; index += 1) {
    nowMs += 1_000;
    await limiter.take('key', [token]);
  }
  const lower = { ...token, quota: 2 };
  // Of five, four have to expire.
  expect(await shown(limiter.take('key', [lower]))).toEqual([false, 0, 59]);
  expect(await shown(limiter.take('key', [{ ...token, quota: 6 }]))).toEqual([true, 0, 56]);
});

it('never admits more than a large quota in a window, and about as many', async () => {
  const large = { name: 'token', quota: 5_000, windowSeconds: 60 };
  const admitted: number[] = [];
  for (let round = 0; round < 120; round += 1) {
    nowMs += 1_013;
    for (let request = 0; request < 100; request += 1) {
      if ((await limiter.take('key', [large])).admitted) admitted.push(nowMs);
    }
  }
  const inWindow = admitted.map((end) => admitted.filter((at) => at > end - 60_000 && at <= end).length);
  expect(Math.max(...inWindow)).toBe(5_000);
});

it('never says that a request is given back later than after its window', () => {
  for (let index = 0; index < 5_000; index += 1) {
    const now = 100_000 + index / 3;
    const log = new SlidingLog('token', 120, 60_000);
    log.take(now);
    expect(log.resetMs(now)).toBe(60_000);
  }
});
