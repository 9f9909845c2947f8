/** The two clocks that ports use, so that tests can move them. */
export interface Clock {
  /** Epoch milliseconds, by the wall clock, for moments that others see. */
  readonly now: () => number;
  /** Milliseconds since some moment in the past, for durations: unlike the wall clock it is never set. */
  readonly monotonic: () => number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
