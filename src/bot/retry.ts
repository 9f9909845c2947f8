import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs } from '../process/back-off.ts';
import { httpStatus } from './discord-error.ts';
import { outageRetry } from './limits.ts';

/** Whether an error means that Discord is down or unreachable. Any other error is a response. */
function isOutage(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== null) return status >= 500;
  if (!(error instanceof Error)) return false;
  if (error.name === 'AbortError') return true;
  return 'code' in error && typeof error.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(error.code);
}

/**
 * Retries a request while Discord is down. discord.js itself retries three times, but all within a few milliseconds.
 * @throws the last error when the next attempt would start after `until` (milliseconds of `performance.now()`), and any
 * error that is not an outage at once.
 */
export async function retryDuringOutage(work: () => Promise<unknown>, until: number): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    const waitMs = backOffMs(failures, outageRetry.firstMs, outageRetry.longestMs);
    try {
      await work();
      return;
    } catch (error) {
      if (!isOutage(error) || performance.now() + waitMs > until) throw error;
    }
    // Does not keep a stopping process alive.
    await delay(waitMs, undefined, { ref: false });
  }
}
