import { setTimeout as delay } from 'node:timers/promises';
import { RateLimitError } from '@discordjs/rest';

/** Returns a function that starts requests some time apart, and waits where Discord's limits want more. */
export function paced(gapMs: number, signal: AbortSignal): <T>(request: () => Promise<T>) => Promise<T> {
  let nextAt = 0;
  return async (request) => {
    for (;;) {
      const waitMs = nextAt - performance.now();
      nextAt = Math.max(nextAt, performance.now()) + gapMs;
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        await delay(Math.max(error.retryAfter, error.timeToReset), undefined, { signal });
      }
    }
  };
}
