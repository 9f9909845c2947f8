import type { Logger } from 'pino';
import { logFailure } from './log-failure.ts';

export interface StoreWatch {
  /** Of `ReadDatabase`. While it is NaN, the store is away. */
  version: () => number;
  everyMs: number;
  /** Called at first, and after changes of the version; again when it has failed. Never twice at once. */
  look: () => Promise<void>;
  log: Logger;
  /** The log message when `look` fails. */
  failure: string;
}

/** Looks again at what others may have changed in the store. @returns stops it, after a look that is under way */
export function watchStore({ version, everyMs, look, log, failure }: StoreWatch): () => Promise<void> {
  let seen = NaN;
  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    const current = version();
    if (Number.isNaN(current) || current === seen) return;
    await look();
    seen = current;
  };
  const timer = setInterval(() => {
    looking ??= lookOnce()
      .catch((error: unknown) => logFailure(log, error, failure))
      .finally(() => (looking = null));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
