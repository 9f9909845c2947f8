import { uptime } from 'node:os';

/**
 * The two clocks of a process. A moment that others see or that outlives the process (`checkedAt`, the expiry of a
 * token or ban, a log's times) is read from the wall clock. A duration (a limit's window, a cache's age, a pause, a
 * timer) is measured with the monotonic clock, because the wall clock can be set by hours at any time.
 *
 * Code that needs one of them takes the function under its name here; code that needs both takes `Clock`.
 */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds since some moment in the past. Never falls, and never jumps ahead. */
  readonly monotonic: () => number;
}

/**
 * Milliseconds since the machine started, in which time spent suspended counts. The monotonic clock leaves that out on
 * Linux. For what others may have taken over meanwhile; a call takes 25 µs.
 */
export const sinceBoot = (): number => uptime() * 1_000;

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
