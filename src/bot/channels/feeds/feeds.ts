import type { Keyv } from 'keyv';
import type { PostStatus } from '../../../commands/placements.ts';
import type { Deaths } from '../../../commands/ports.ts';
import { loggable } from '../../loggable.ts';
import type { FeedConfig } from './feed-config.ts';
import { Feed, type FeedOptions } from './feed.ts';
import { Reworder, type ReworderOptions } from './reworder.ts';

export interface FeedsOptions
  extends Omit<FeedOptions, 'deaths' | 'gateway'>, Pick<ReworderOptions, 'channelGuilds'> {
  gateway: FeedOptions['gateway'] & ReworderOptions['gateway'];
  /** Left out: the bot reads a service that has no deaths, so no feed runs. */
  deaths?: Deaths | undefined;
  /** The keys of all feeds in the config, also of those that another process runs. */
  configuredKeys: readonly string[];
  /** How often feeds poll for new deaths. */
  feedPollMs: number;
}

/** The kill feeds of all guilds. Messages of feeds that were removed are edited, too, so it polls without any. */
export class Feeds {
  readonly #options: FeedsOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #reworder: Reworder | null = null;
  readonly #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(configs: readonly FeedConfig[], options: FeedsOptions) {
    const { deaths, keyv, log, configuredKeys, feedPollMs } = options;
    this.#options = options;
    forgetRemovedFeeds(keyv, configuredKeys).catch((error: unknown) => {
      log.warn(
        { error: loggable(error) },
        'could not delete the state of kill feeds that the config no longer has',
      );
    });
    if (deaths !== undefined) {
      this.#reworder = new Reworder({ ...options, deaths, feedOf: (key) => this.#feeds.get(key)?.config });
      this.#timer = setInterval(() => void this.run(), feedPollMs);
    } else if (configs.length > 0) {
      log.warn(
        'the kill feeds of the config are off: the bot reads a service elsewhere, which has no kills for it',
      );
    }
    for (const config of configs) this.#create(config);
    void this.run();
  }

  /** Adds a feed, unless it is there already. */
  start(config: FeedConfig): void {
    this.#create(config);
    void this.run();
  }

  /** Ends a feed and deletes its state. Never rejects. */
  async remove(key: string): Promise<void> {
    const found = this.#feeds.get(key);
    this.#feeds.delete(key);
    await found?.forget();
  }

  list(): FeedConfig[] {
    return Array.from(this.#feeds.values(), ({ config }) => config);
  }

  /** Null: the feed works, or does not exist. */
  status(key: string): PostStatus | null {
    const reason = this.#feeds.get(key)?.failure() ?? null;
    return reason === null ? null : { state: 'failing', reason };
  }

  /** Posts what is due now. Never rejects. Feeds do not wait for each other: each skips a call while it is busy. */
  async run(): Promise<void> {
    if (this.#isStopped) return;
    const feeds = Array.from(this.#feeds.values(), (feed) => feed.run());
    this.#running = Promise.all([...feeds, this.#reworder?.run()]);
    await this.#running;
  }

  /** Edits messages whose players were hidden, shown or forgotten, also those of removed feeds. Never rejects. */
  async reword(): Promise<void> {
    if (!this.#isStopped) await this.#reworder?.run();
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #create(config: FeedConfig): void {
    const { deaths } = this.#options;
    if (deaths === undefined || this.#feeds.has(config.key)) return;
    this.#feeds.set(config.key, new Feed(config, { ...this.#options, deaths }));
  }
}

const configuredKey = 'feeds';

/**
 * Deletes the state of feeds that the config no longer has. A feed that comes back later starts anew, instead of counting
 * what happened in between as missed.
 */
async function forgetRemovedFeeds(keyv: Keyv, configured: readonly string[]): Promise<void> {
  const before = (await keyv.get<readonly string[]>(configuredKey)) ?? [];
  if (before.join() === configured.join()) return;
  const removed = before.filter((each) => !configured.includes(each));
  if (removed.length > 0) await keyv.deleteMany(removed);
  await keyv.set(configuredKey, configured);
}
