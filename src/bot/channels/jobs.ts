import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { onCron } from '../../process/cron.ts';
import { loggable } from '../loggable.ts';
import type { JobConfig } from './job.ts';
import { jobOf } from './kinds/kinds.ts';
import type { SharedByJobs } from './job-messages.ts';
import { RunningJob } from './running-job.ts';

/** All jobs that run, by key: those of the config and those that members placed. */
export class Jobs {
  readonly #shared: SharedByJobs;
  readonly #jobs = new Map<string, { job: RunningJob; endTimer: () => void }>();
  #isStopped = false;

  constructor(shared: SharedByJobs) {
    this.#shared = shared;
  }

  /** Adds a job, unless it is there already, and runs it in the background: now, and at its moments. */
  start(config: JobConfig): void {
    const { key, kind, options } = config;
    if (this.#isStopped || this.#jobs.has(key)) return;
    const job = new RunningJob(config, this.#shared);
    const { every } = jobOf(kind);
    if (every === undefined) {
      const { cron } = options as { cron: string };
      const runInTurn = () => this.#runLater(job, this.#all().indexOf(job));
      this.#jobs.set(key, { job, endTimer: onCron(cron, runInTurn) });
      runInTurn();
    } else {
      const timer = setInterval(() => void job.run(), this.#shared[every]).unref();
      this.#jobs.set(key, { job, endTimer: () => clearInterval(timer) });
      // At once: what happens before its first run is history for it.
      void job.run();
    }
  }

  /**
   * Ends a job, if it runs, and deletes its record, with `deleting` its kept message too.
   * @throws where the message may still be there; the record is kept then
   */
  async remove(key: string, { deleting }: { deleting: boolean }): Promise<void> {
    const { job, endTimer } = this.#jobs.get(key) ?? {};
    this.#jobs.delete(key);
    endTimer?.();
    await job?.stop();
    if (deleting) await job?.deleteMessage();
    const { keyv, log } = this.#shared;
    await keyv.delete(key).catch((error: unknown) => {
      log.warn({ error: loggable(error) }, `could not delete the state of ${key}`);
    });
  }

  /** In the order of addition. */
  list(): { config: JobConfig; status: PostStatus | null }[] {
    return this.#all().map((job) => ({ config: job.config, status: job.status() }));
  }

  /** Null: it works and has no message of its own, or there is no such job. */
  status(key: string): PostStatus | null {
    return this.#jobs.get(key)?.job.status() ?? null;
  }

  /** Runs all jobs, or that with a key. Never rejects. */
  async run(key?: string): Promise<void> {
    const jobs = key === undefined ? this.#all() : this.#all().filter((job) => job.config.key === key);
    await Promise.all(jobs.map((job) => job.run()));
  }

  /** Updates the messages that are kept, soon. */
  refresh(): void {
    const jobs = this.#all().filter(({ config }) => jobOf(config.kind).isPost);
    for (const [index, job] of jobs.entries()) this.#runLater(job, index);
  }

  /** Tries jobs again that failed or waited for their guild, where a change on Discord may have helped. */
  retryBlocked(): void {
    for (const job of this.#all()) if (job.isBlocked()) void job.run();
  }

  /** Messages were deleted. Kept ones among them are made again. */
  deleted(messageIds: readonly string[]): void {
    for (const job of this.#all()) void job.deleted(messageIds);
  }

  /** Deletions may have been missed. Every kept message is checked by an edit. */
  markUnverified(): void {
    for (const job of this.#all()) job.markUnverified();
    this.refresh();
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { endTimer } of this.#jobs.values()) endTimer();
    await Promise.all(this.#all().map((job) => job.stop()));
  }

  #all(): RunningJob[] {
    return Array.from(this.#jobs.values(), ({ job }) => job);
  }

  /** Staggered, since fifty posts at once would delay answers to members. A stopped job does not run. */
  #runLater(job: RunningJob, index: number): void {
    setTimeout(() => void job.run(), index * this.#shared.staggerMs).unref();
  }
}
