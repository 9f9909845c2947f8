import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { onCron } from '../../process/cron.ts';
import { loggable } from '../loggable.ts';
import type { JobConfig } from './job.ts';
import { jobOf } from './kinds/kinds.ts';
import type { SharedByJobs } from './job-messages.ts';
import { createRunningJob, type RunningJob } from './running-job.ts';

export type Jobs = ReturnType<typeof createJobs>;

/** All jobs that run, by key: those of the config and those that members placed. */
export function createJobs(shared: SharedByJobs) {
  const jobs = new Map<string, RunningJob & { endTimer: () => void }>();
  let isStopped = false;

  /** Staggered, since fifty posts at once would delay answers to members. A stopped job does not run. */
  function runLater(job: RunningJob, index: number): void {
    setTimeout(() => void job.run(), index * shared.staggerMs).unref();
  }

  /** Updates the messages that are kept, soon. */
  function refresh(): void {
    const posts = [...jobs.values()].filter(({ config }) => jobOf(config.kind).isPost);
    for (const [index, job] of posts.entries()) runLater(job, index);
  }

  return {
    refresh,
    /** Adds a job, unless it is there already, and runs it in the background: now, and at its moments. */
    start(config: JobConfig): void {
      const { key, kind, options } = config;
      if (isStopped || jobs.has(key)) return;
      const job = createRunningJob(config, shared);
      const { every } = jobOf(kind);
      if (every === undefined) {
        const { cron } = options as { cron: string };
        const runInTurn = () => runLater(job, [...jobs.keys()].indexOf(key));
        jobs.set(key, { ...job, endTimer: onCron(cron, runInTurn) });
        runInTurn();
      } else {
        const timer = setInterval(() => void job.run(), shared[every]).unref();
        jobs.set(key, { ...job, endTimer: () => clearInterval(timer) });
        // At once: for this job, what happens before its first run is the past.
        void job.run();
      }
    },
    /**
     * Ends a job, if it runs, and deletes its record, with `deleting` its kept message too.
     * @throws where the message may still be there; the record is kept then
     */
    async remove(key: string, { deleting }: { deleting: boolean }): Promise<void> {
      const job = jobs.get(key);
      jobs.delete(key);
      job?.endTimer();
      await job?.stop();
      if (deleting) await job?.deleteMessage();
      await shared.keyv.delete(key).catch((error: unknown) => {
        shared.log.warn({ error: loggable(error) }, `could not delete the state of ${key}`);
      });
    },
    /** In the order of addition. */
    list: (): { config: JobConfig; status: PostStatus | null }[] =>
      Array.from(jobs.values(), ({ config, status }) => ({ config, status: status() })),
    /** Null: it works and has no message of its own, or there is no such job. */
    status: (key: string): PostStatus | null => jobs.get(key)?.status() ?? null,
    /** Runs all jobs, or that with a key. Never rejects. */
    async run(key?: string): Promise<void> {
      const due = [...jobs.values()].filter(({ config }) => key === undefined || config.key === key);
      await Promise.all(due.map((job) => job.run()));
    },
    /** Tries jobs again that failed or waited for their guild, where a change on Discord may have helped. */
    retryBlocked(): void {
      for (const job of jobs.values()) if (job.isBlocked()) void job.run();
    },
    /** Messages were deleted. Kept ones among them are made again. */
    deleted(messageIds: readonly string[]): void {
      for (const job of jobs.values()) void job.deleted(messageIds);
    },
    /** Deletions may have been missed. Every kept message is checked by an edit. */
    markUnverified(): void {
      for (const job of jobs.values()) job.markUnverified();
      refresh();
    },
    /** Starts nothing new. Resolves when what runs has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { endTimer } of jobs.values()) endTimer();
      await Promise.all(Array.from(jobs.values(), (job) => job.stop()));
    },
  };
}
