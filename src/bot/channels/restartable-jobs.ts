import type { Logger } from 'pino';
import type { BackgroundJobs } from './background-jobs.ts';
import { loggable } from '../loggable.ts';

export interface RestartableJobsOptions {
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
  #changing: Promise<void> = Promise.resolve();

  constructor(options: RestartableJobsOptions) {
    this.#options = options;
  }

  /** Undefined: none run, or they are being restarted. */
  get running(): BackgroundJobs | undefined {
    return this.#running;
  }

  /** Stops the jobs and starts them with the current settings, one call after another. Never rejects. */
  async restart(): Promise<void> {
    this.#changing = this.#changing
      .then(() => this.#replace())
      .catch((error: unknown) => {
        this.#options.log.error({ error: loggable(error) }, 'could not start posts, alerts and kill feeds');
      });
    await this.#changing;
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
