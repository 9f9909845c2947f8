import { expect, it } from 'vitest';
import { SlidingLog } from '../../../../src/server/http/limits/sliding-log.ts';

it('never says that a request is given back later than after its window', () => {
  for (let index = 0; index < 5_000; index += 1) {
    const now = 100_000 + index / 3;
    const log = new SlidingLog('token', 120, 60_000);
    log.take(now);
    expect(log.resetMs(now)).toBe(60_000);
  }
});
