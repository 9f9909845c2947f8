import type { DeliveryJobsOptions } from '../delivery-job.ts';
import { forgetRemoved } from '../forget-removed.ts';
import { PlacedJobs } from '../placed-jobs.ts';
import type { FeedConfig } from './feed-config.ts';
import { Feed } from './feed.ts';
import { Reworder } from './reworder.ts';

/** The kill feeds of all guilds. Messages of feeds that were removed are edited, too, so it polls without any. */
export class Feeds extends PlacedJobs<FeedConfig, Feed> {
  readonly #options: DeliveryJobsOptions;
  readonly #reworder: Reworder | null = null;

  constructor(options: DeliveryJobsOptions) {
    const { deaths, log, feedPollMs, configuredKeys } = options;
    super(options, deaths && feedPollMs);
    this.#options = options;
    void forgetRemoved('feeds', 'kill feeds', options);
    if (deaths !== undefined) {
      this.#reworder = new Reworder({ ...options, deaths, feedOf: (key) => this.find(key)?.config });
    } else if (configuredKeys.length > 0) {
      log.warn(
        'the kill feeds of the config are off: the bot reads a service elsewhere, which has no kills for it',
      );
    }
  }

  /** Posts what is due, and edits what is outdated. Feeds do not wait for each other: each skips a call while it is busy. */
  override async run(): Promise<void> {
    await Promise.all([super.run(), this.reword()]);
  }

  /** Edits messages whose players were hidden, shown or forgotten, also those of removed feeds. Never rejects. */
  async reword(): Promise<void> {
    if (!this.isStopped) await this.#reworder?.run();
  }

  override async stop(): Promise<void> {
    await Promise.all([super.stop(), this.#reworder?.settle()]);
  }

  protected override create(config: FeedConfig): Feed | null {
    const { deaths } = this.#options;
    return deaths === undefined ? null : new Feed(config, { ...this.#options, deaths });
  }
}
