import type { Logger } from 'pino';
import type { BackgroundJobs } from './background-jobs.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { loggable } from '../loggable.ts';

interface RestartableJobsOptions {
  /** Starts the jobs with the current settings; undefined: it is too early. */
  start: () => Promise<BackgroundJobs> | undefined;
  /** How long the work of the jobs before may take. */
  settleMs: number;
  log: Logger;
  /** Nothing starts after it. */
  signal: AbortSignal;
}

/** The bot's background jobs, which can be restarted with other settings. */
export class RestartableJobs {
  readonly #options: RestartableJobsOptions;
  #running: BackgroundJobs | undefined;
  readonly #inTurn = limitConcurrency(1);

  constructor(options: RestartableJobsOptions) {
    this.#options = options;
  }

  /** Undefined: none run, or they are being restarted. */
  get running(): BackgroundJobs | undefined {
    return this.#running;
  }

  /** Stops the jobs and starts them with the current settings, one call after another. Never rejects. */
  async restart(): Promise<void> {
    await this.#inTurn
      .run(() => this.#replace())
      .catch((error: unknown) => {
        this.#options.log.error({ error: loggable(error) }, 'could not start posts, alerts and kill feeds');
      });
  }

  async #replace(): Promise<void> {
    const { start, settleMs, signal } = this.#options;
    const previous = this.#running;
    this.#running = undefined;
    await previous?.stop(settleMs);
    if (signal.aborted) return;
    this.#running = await start();
    if (signal.aborted) await this.#running?.stop(0);
  }
}
