import { setTimeout as delay } from 'node:timers/promises';
import { httpStatus } from './discord-error.ts';

const firstWaitMs = 100;
const longestWaitMs = 5_000;

/** Whether Discord could not take a request at all: it is out of order, or not reachable. All else is an answer. */
export function isOutage(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== null) return status >= 500;
  if (!(error instanceof Error)) return false;
  if (error.name === 'AbortError') return true;
  return 'code' in error && typeof error.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(error.code);
}

/**
 * Does something at Discord, and does it again while Discord is out of order: discord.js tries three more times by itself,
 * but all of them within a few milliseconds. The waits double, up to 5 s.
 * @throws the last failure when the next attempt would start after `until` (milliseconds of `performance.now()`), and at
 * once whatever is no outage: a refusal stays one.
 */
export async function retryDuringOutage(work: () => Promise<unknown>, until: number): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isOutage(error) || performance.now() + waitMs > until) throw error;
    }
    // A process that wants to end does not wait for it.
    await delay(waitMs, undefined, { ref: false });
  }
}
