import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Allowance, Limiter } from '../../../../src/server/http/limits/limiter.ts';
import { createSharedLimiter } from '../../../../src/server/http/limits/shared-limiter.ts';
import {
  createRequestLimits,
  type RequestLimits,
} from '../../../../src/server/store/cluster/request-limits.ts';
import { openWriter, type WriteDatabase } from '../../../../src/server/store/engine/database.ts';
import { StoreUnavailable } from '../../../../src/server/store/engine/error.ts';
import { openNewDatabase, patient, type NewStore } from '../../../harness/new-store.ts';

let store: NewStore;
let limiter: Limiter;
const opened: WriteDatabase[] = [];
beforeEach(async () => {
  store = await openNewDatabase();
  limiter = limiterOf(store);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) await one.close();
  await store.close();
});

const log = pino({ level: 'silent' });
function limiterOf({ shared }: WriteDatabase): Limiter {
  if (shared === undefined) throw new Error('expected a store that processes share');
  return createSharedLimiter(createRequestLimits(shared), log);
}
/** The limiter of another process. */
async function another(): Promise<Limiter> {
  const writer = await openWriter(store.location, { busyTimeoutMs: 10_000, limits: patient });
  opened.push(writer);
  return limiterOf(writer);
}
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const token = { name: 'token', quota: 120, windowSeconds: 60 };
const players = { name: 'players', quota: 2, windowSeconds: 30 };
const shown = async (asked: ReturnType<Limiter['take']>) => {
  const { admitted, remaining, resetSeconds } = await asked;
  return [admitted, remaining, resetSeconds];
};

it('admits 120 in a window over four processes, and all 120', async () => {
  const processes = [limiter, await another(), await another(), await another()];
  // Not all at once: on a slow machine the last would wait longer than a request may.
  const burst = async (): Promise<number> => {
    const made: Allowance[] = [];
    for (let round = 0; round < 5; round += 1) {
      const some = Array.from({ length: 40 }, (_, i) => processes[i % 4]!.take('key', [token]));
      made.push(...(await Promise.all(some)));
    }
    return made.filter(({ admitted }) => admitted).length;
  };
  expect([await burst(), await burst()]).toEqual([120, 0]);
  pass(59_999);
  expect(await burst()).toBe(0);
  pass(1);
  expect(await burst()).toBe(120);
});

it('says what is left, and when the window ends that the first request has begun', async () => {
  expect(await shown(limiter.check('key', [token]))).toEqual([true, 120, 60]);
  expect(await shown(limiter.take('key', [token]))).toEqual([true, 119, 60]);
  pass(20_000);
  expect(await shown(limiter.take('key', [token]))).toEqual([true, 118, 40]);
  expect(await shown(limiter.check('key', [token]))).toEqual([true, 118, 40]);
  expect(await shown(limiter.check('other', [token]))).toEqual([true, 120, 60]);
  // What was spent stays spent when the quota changes.
  expect(await shown(limiter.take('key', [{ ...token, quota: 2 }]))).toEqual([false, 0, 40]);
});

it('refuses what one of several policies refuses, and reports the tightest', async () => {
  for (const left of [1, 0]) {
    expect(await shown(limiter.take('key', [token, players]))).toEqual([true, left, 30]);
  }
  const refused = await limiter.take('key', [token, players]);
  expect([refused.admitted, refused.tightest.name]).toEqual([false, 'players']);
  expect(await shown(limiter.take('key', [token]))).toEqual([true, 116, 60]);
});

it('deletes windows that have ended', async () => {
  await limiter.take('ended', [token]);
  pass(60_001);
  await limiter.take('key', [token]);
  limiter.sweep();
  const keys = async () =>
    (await sql<{ key: string }>`SELECT key FROM request_limit`.execute(store.db)).rows.map(({ key }) => key);
  await expect.poll(keys).toEqual(['token key']);
});

it('fails as the store being away when that gives no answer', async () => {
  vi.useRealTimers();
  const never = () => new Promise<never>(() => undefined);
  const silent: RequestLimits = { count: never, read: never, sweep: never };
  const asked = createSharedLimiter(silent, log).take('key', [token]);
  await expect(asked).rejects.toThrow(StoreUnavailable);
});
