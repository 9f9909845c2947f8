import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Coalesced, coalesce } from '../../src/process/coalesce.ts';

let begun: number[];
let end: (() => void)[];
let work: Coalesced;
beforeEach(() => {
  vi.useFakeTimers();
  begun = [];
  end = [];
  work = coalesce(() => {
    begun.push(performance.now());
    return new Promise((resolve) => end.push(resolve));
  }, 100);
});
afterEach(() => vi.useRealTimers());

const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));
const finish = async (): Promise<void> => {
  end.shift()?.();
  await pass(0);
};

it('runs at once, and then once for all requests of a time', async () => {
  const start = performance.now();
  for (let count = 0; count < 1_000; count += 1) work.request();
  await finish();
  for (let count = 0; count < 1_000; count += 1) work.request();
  await pass(99);
  expect(begun).toEqual([start]);
  await pass(1);
  expect(begun).toEqual([start, start + 100]);
  await finish();
  await pass(1_000);
  expect(begun).toHaveLength(2);
});

it('runs again after a run in which a request came', async () => {
  work.request();
  await pass(500);
  work.request();
  expect(begun).toHaveLength(1);
  await finish();
  expect(begun).toHaveLength(2);
});

it('runs no more once it is stopped, and waits for the run under way', async () => {
  work.request();
  work.request();
  let isStopped = false;
  const stopped = work.stop().then(() => (isStopped = true));
  await pass(1_000);
  expect(isStopped).toBe(false);
  await finish();
  await stopped;
  work.request();
  await pass(1_000);
  expect(begun).toHaveLength(1);
});
