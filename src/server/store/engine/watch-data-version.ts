import type { Logger } from 'pino';
import { logFailure } from './log-failure.ts';

interface DataVersionWatch {
  /** The data version (`ReadDatabase`). NaN while the store does not answer. */
  version: () => number;
  everyMs: number;
  /** Called for the first version and after each change; again when it has failed. Never twice at once. */
  onChange: () => Promise<void>;
  log: Logger;
  /** The log message when `onChange` fails. */
  failure: string;
}

/** Polls the store's data version, which anyone's change raises. @returns stops it, after a call that is under way */
export function watchDataVersion({
  version,
  everyMs,
  onChange,
  log,
  failure,
}: DataVersionWatch): () => Promise<void> {
  let seen = NaN;
  let running: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    const current = version();
    if (Number.isNaN(current) || current === seen) return;
    await onChange();
    seen = current;
  };
  const timer = setInterval(() => {
    running ??= check()
      .catch((error: unknown) => logFailure(log, error, failure))
      .finally(() => (running = null));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
