import type { Logger } from 'pino';
import type { PostStatus } from '../../commands/ports/placements.ts';
import { onCron } from '../../process/cron.ts';
import { loggable } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import type { PlacedConfig } from './placed-config.ts';
import { Sender, type SenderUse } from './sender.ts';

/** One post, kill feed or recap, whose messages a sender writes. Its methods never reject, but for `end`. */
export abstract class SendingJob<Config extends PlacedConfig> {
  readonly config: Config;
  protected readonly log: Logger;
  protected readonly sender: Sender;

  constructor(config: Config, options: JobOptions, use: Omit<SenderUse, 'channelId'>) {
    const { channelId } = config;
    this.config = config;
    this.log = options.log.child({ channelId });
    this.sender = new Sender({ ...options, ...use, channelId, log: this.log });
  }

  /** Does what is due, or waits for a running call. */
  abstract run(): Promise<void>;

  /** Null: it works, and has no message of its own. */
  status(): PostStatus | null {
    const reason = this.sender.failure;
    return reason === null ? null : { state: 'failing', reason };
  }

  async settle(): Promise<void> {
    await this.sender.settle();
  }

  /**
   * Does no more, with `deleting` after it has deleted its message.
   * @throws where Discord does not answer, so that the message may still be there
   */
  async end(_options?: { deleting: boolean }): Promise<void> {
    await this.sender.end();
  }
}

/** The posts, kill feeds or recaps of all guilds, by key. They run at the moments of their cron expression, or every `pollMs`. */
export abstract class PlacedJobs<
  Config extends PlacedConfig & { cron?: string | null },
  Job extends SendingJob<Config>,
> {
  readonly #options: JobOptions;
  readonly #jobs = new Map<string, { job: Job; stopCron: () => void }>();
  readonly #timer: NodeJS.Timeout | undefined;
  protected isStopped = false;

  constructor(options: JobOptions, pollMs?: number) {
    this.#options = options;
    if (pollMs !== undefined) this.#timer = setInterval(() => void this.run(), pollMs);
  }

  /** Whether the state of a job that is removed is of use to the next one with its key. */
  protected keepsState(_config: Config): boolean {
    return false;
  }

  /** Null: none can run here. */
  protected abstract create(config: Config): Job | null;

  /** Adds a job, unless it is there already, and runs it in the background. */
  start(config: Config): void {
    const job = this.add(config);
    if (job !== null) void job.run();
  }

  /**
   * Ends a job and deletes its state unless that is kept, with `deleting` its message too.
   * @throws where the message may still be there; the state is kept then
   */
  async remove(key: string, options?: { deleting: boolean }): Promise<void> {
    const found = this.#jobs.get(key);
    this.#jobs.delete(key);
    if (found === undefined) return;
    const { keyv, log } = this.#options;
    found.stopCron();
    await found.job.end(options);
    if (this.keepsState(found.job.config)) return;
    await keyv.delete(key).catch((error: unknown) => {
      const { channelId } = found.job.config;
      log.warn({ error: loggable(error), channelId }, `could not delete the state of ${key}`);
    });
  }

  /** In the order of addition. */
  list(): Config[] {
    return this.jobs.map(({ config }) => config);
  }

  status(key: string): PostStatus | null {
    return this.find(key)?.status() ?? null;
  }

  /** Runs each job. Never rejects. */
  async run(): Promise<void> {
    if (!this.isStopped) await Promise.all(this.jobs.map((job) => job.run()));
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.#timer);
    for (const { stopCron } of this.#jobs.values()) stopCron();
    await Promise.all(this.jobs.map((job) => job.settle()));
  }

  protected get jobs(): Job[] {
    return Array.from(this.#jobs.values(), ({ job }) => job);
  }

  protected find(key: string): Job | undefined {
    return this.#jobs.get(key)?.job;
  }

  /** Adds a job that does not run yet. Null: it is there already, or cannot run here. */
  protected add(config: Config): Job | null {
    const { key, cron } = config;
    const job = this.isStopped || this.#jobs.has(key) ? null : this.create(config);
    if (job === null) return null;
    const stopCron = cron ? onCron(cron, () => this.due(job), this.#options.now) : () => undefined;
    this.#jobs.set(key, { job, stopCron });
    return job;
  }

  /** A moment of its cron expression has come. */
  protected due(job: Job): void {
    void job.run();
  }
}
