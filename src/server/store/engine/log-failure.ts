import type { Logger } from 'pino';
import { StoreUnavailable } from './error.ts';

/** Logs that work on the store failed. While the store is away, that alone is logged, once (`StoreHealth`). */
export function logFailure(
  log: Logger,
  error: unknown,
  message: string,
  details: Record<string, unknown> = {},
): void {
  log[error instanceof StoreUnavailable ? 'debug' : 'error']({ err: error, ...details }, message);
}
