import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { within } from '../../src/process/time-limit.ts';

it('gives the result of work that ends in time, and leaves no timer', async () => {
  const before = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  await expect(within(Promise.resolve(1), 60_000)).resolves.toBe(1);
  await expect(within(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
  // Others of this process may have ended meanwhile.
  const after = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  expect(after).toBeLessThanOrEqual(before);
});

it('gives up work that takes longer, and ignores its later failure', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const work = sleep(30).then(() => {
    throw new Error('too late');
  });
  await expect(within(work, 5)).resolves.toBe('late');
  await sleep(60);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});
