import type { Clock } from '../src/clock.ts';

/** Clocks that only tests move. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(): TestClock {
  let wall = Date.parse('2026-03-01T12:00:00.000Z');
  // Neither 0 nor near the wall clock: a mix-up of the two shows.
  let monotonic = 5_000_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(ms) {
      wall += ms;
      monotonic += ms;
    },
  };
}
