import type { PostStatus } from '../../../commands/placements.ts';
import type { Deaths } from '../../../commands/ports.ts';
import { loggable } from '../../loggable.ts';
import { within } from '../../../process/time-limit.ts';
import type { FeedConfig } from './feed-config.ts';
import { createFeed, type Feed, type FeedOptions } from './feed.ts';
import { createReworder, type ReworderOptions } from './reworder.ts';
import { forgetRemovedFeeds } from './removed-feeds.ts';

export interface FeedsOptions
  extends Omit<FeedOptions, 'deaths' | 'signal'>, Pick<ReworderOptions, 'channelGuilds' | 'serves'> {
  /** Left out: the bot reads a service that has no deaths, so no feed runs. */
  deaths?: Deaths | undefined;
  /** The keys of all feeds in the config, also of those that another process runs. */
  configuredKeys: readonly string[];
  /** How often feeds poll for new deaths. Default half a second. */
  feedPollMs?: number | undefined;
}

/** The kill feeds of all guilds. */
export interface Feeds {
  add(feed: FeedConfig): void;
  /** Ends a feed and deletes its state. Never rejects. */
  remove(key: string): Promise<void>;
  list(): FeedConfig[];
  /** Null: the feed works, or does not exist. */
  status(key: string): PostStatus | null;
  /** Posts what is due now. Never rejects. */
  run(): Promise<void>;
  /** Edits messages whose players were hidden, shown or forgotten, also those of removed feeds. Never rejects. */
  reword(): Promise<void>;
  /** Starts nothing new. Running messages get `ms` to finish, then their requests are aborted. */
  stop(ms: number): Promise<void>;
}

interface Running {
  config: FeedConfig;
  feed: Feed;
}

/** Starts the feeds. Messages of those that were removed are edited, too, so it polls without any. */
export function startFeeds(configs: readonly FeedConfig[], options: FeedsOptions): Feeds {
  const { deaths, log, feedPollMs = 500 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const feeds = new Map<string, Running>();
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const reworder =
    deaths === undefined
      ? null
      : createReworder({
          ...options,
          deaths,
          signal,
          feedOf: (key) => feeds.get(key)?.config,
        });

  /** Feeds do not wait for each other: each skips a call while it is busy. */
  async function run(): Promise<void> {
    if (stopped) return;
    running = Promise.all([...[...feeds.values()].map(({ feed }) => feed.run()), reworder?.run()]);
    await running;
  }

  function add(config: FeedConfig): void {
    if (deaths === undefined || feeds.has(config.key)) return;
    feeds.set(config.key, { config, feed: createFeed(config, { ...options, deaths, signal }) });
  }

  if (deaths === undefined && configs.length > 0) {
    log.warn(
      'the kill feeds of the config are off: the bot reads a service elsewhere, which has no kills for it',
    );
  }
  for (const config of configs) add(config);
  forgetRemovedFeeds(options.keyv, options.configuredKeys).catch((error: unknown) => {
    log.warn(
      { error: loggable(error) },
      'could not delete the state of kill feeds that the config no longer has',
    );
  });
  const timer = deaths && setInterval(() => void run(), feedPollMs);
  void run();

  return {
    add(config) {
      add(config);
      void run();
    },
    async remove(key) {
      const found = feeds.get(key);
      feeds.delete(key);
      await found?.feed.forget();
    },
    list: () => [...feeds.values()].map(({ config }) => config),
    status(key) {
      const reason = feeds.get(key)?.feed.failure() ?? null;
      return reason === null ? null : { state: 'failing', reason };
    },
    run,
    async reword() {
      if (!stopped) await reworder?.run();
    },
    async stop(ms) {
      stopped = true;
      clearInterval(timer);
      await within(running, ms);
      stopping.abort();
      await running;
    },
  };
}
