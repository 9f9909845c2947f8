import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SharedLimiter } from '../../../../src/server/http/limits/shared-limiter.ts';
import type { RequestLimits } from '../../../../src/server/store/cluster/request-limits.ts';

// Time stands still, so nothing happens that a timer would have to do.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Waits for a turn of the event loop. */
const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

const policy = { name: 'token', quota: 120, windowSeconds: 60 };

/** A limiter on a store that answers after some turns of the event loop, and the number of requests in each call. */
function newLimiter() {
  const calls: number[] = [];
  const limits: RequestLimits = {
    async take(groups) {
      calls.push(groups.reduce((sum, { wanted }) => sum + wanted, 0));
      for (let turns = 0; turns < 3; turns += 1) await turn();
      return groups.map(({ wanted: admitted, policies }) => ({
        valid: true,
        admitted,
        policies: policies.map(() => ({ remaining: 100, resetMs: 0 })),
        project: null,
      }));
    },
    sweep: async () => undefined,
  };
  const log = pino({ level: 'silent' });
  const limiter = new SharedLimiter({ limits, log });
  /** Callers that each send one request after the other. */
  const send = async (callers: number, each: number): Promise<void> => {
    const caller = async (): Promise<void> => {
      for (let request = 0; request < each; request += 1) await limiter.take('key', [policy], null);
    };
    await Promise.all(Array.from({ length: callers }, caller));
  };
  return { calls, send };
}

it('sends the request of a caller alone at once', async () => {
  const { calls, send } = newLimiter();
  await send(1, 5);
  expect(calls).toEqual([1, 1, 1, 1, 1]);
});

it('sends the requests of ten callers together, without waiting for an eleventh', async () => {
  const { calls, send } = newLimiter();
  await send(10, 5);
  expect(calls).toEqual([10, 10, 10, 10, 10]);
});

it('finds callers together that began one after the other', async () => {
  const { calls, send } = newLimiter();
  const first = send(1, 6);
  while (calls.length === 0) await turn();
  await Promise.all([first, send(1, 5)]);
  expect(calls).toEqual([1, 2, 2, 2, 2, 2]);
});

it('waits for callers that have gone only once', async () => {
  const { calls, send } = newLimiter();
  await send(3, 1);
  const alone = send(1, 3);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2);
  await alone;
  expect(calls).toEqual([3, 1, 1, 1]);
});
