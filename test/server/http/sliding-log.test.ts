import { expect, it } from 'vitest';
import { SlidingLog } from '../../../src/server/http/sliding-log.ts';

it('never says that a request is given back later than after its window', () => {
  for (let now = 0.1; now < 5_000; now += 0.37) {
    const log = new SlidingLog('token', 120, 60_000);
    log.take(now);
    expect(log.resetMs(now)).toBe(60_000);
  }
});
