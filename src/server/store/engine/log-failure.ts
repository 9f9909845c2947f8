import type { Logger } from 'pino';
import { isReportedOnce } from './store-health.ts';

/** Logs that work on the store failed. While the store is away or cannot be written, that alone is logged, once (`StoreHealth`). */
export function logFailure(
  log: Logger,
  error: unknown,
  message: string,
  details: Record<string, unknown> = {},
): void {
  log[isReportedOnce(error) ? 'debug' : 'error']({ err: error, ...details }, message);
}
