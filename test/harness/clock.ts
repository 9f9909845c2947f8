import type { Clock } from '../../src/process/clock.ts';

/** Clocks that only tests move. */
export interface TestClock extends Clock {
  /** Time passes: both clocks go on by `ms`. */
  advance(ms: number): void;
  /** Somebody sets the wall clock forward, or back where `ms` is negative. No time passes. */
  step(ms: number): void;
}

export function createTestClock(wallStart = Date.parse('2026-03-01T12:00:00.000Z')): TestClock {
  let wall = wallStart;
  // Neither 0 nor near the wall clock: a mix-up of the two shows.
  let monotonic = 5_000_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(ms) {
      wall += ms;
      monotonic += ms;
    },
    step(ms) {
      wall += ms;
    },
  };
}
