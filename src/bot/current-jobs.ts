import type { Logger } from 'pino';
import type { BackgroundJobs } from './background-jobs.ts';
import { loggable } from './loggable.ts';

export interface CurrentJobsOptions {
  /** Starts them with the current settings; undefined: it is too early. */
  start: () => Promise<BackgroundJobs> | undefined;
  /** How long the work of those before may take. */
  settleMs: number;
  log: Logger;
  /** Nothing starts after it. */
  signal: AbortSignal;
}

/** The background jobs of the moment. */
export interface CurrentJobs {
  /** Undefined: none run, or they are being replaced. */
  readonly now: BackgroundJobs | undefined;
  /** Stops them and starts them with the current settings, one call after another. Never rejects. */
  restart(): Promise<void>;
}

export function createCurrentJobs({ start, settleMs, log, signal }: CurrentJobsOptions): CurrentJobs {
  let now: BackgroundJobs | undefined;
  let changing: Promise<void> = Promise.resolve();

  async function replace(): Promise<void> {
    const previous = now;
    now = undefined;
    await previous?.stop(settleMs);
    if (signal.aborted) return;
    now = await start();
    if (signal.aborted) await now?.stop(0);
  }

  return {
    get now() {
      return now;
    },
    async restart() {
      changing = changing.then(replace).catch((error: unknown) => {
        log.error({ error: loggable(error) }, 'could not start posts, alerts and kill feeds');
      });
      await changing;
    },
  };
}
