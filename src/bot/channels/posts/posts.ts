import { setMaxListeners } from 'node:events';
import type { PostStatus } from '../../../commands/placements.ts';
import { onCron } from '../../../process/cron.ts';
import { within } from '../../../process/time-limit.ts';
import type { PostConfig } from './post-config.ts';
import { createPost, type Post, type PostOptions } from './post.ts';

export interface PostsOptions extends Omit<
  PostOptions,
  'heartbeatMs' | 'retryMs' | 'staleAfterMs' | 'repostMs' | 'signal'
> {
  posts: readonly PostConfig[];
  /** Default 10 minutes. */
  heartbeatMs?: number | undefined;
  /** Default 1 hour. */
  retryMs?: number | undefined;
  /** Default 1 minute. */
  staleAfterMs?: number | undefined;
  /** Default 5 s. */
  repostMs?: number | undefined;
  /** Posts of one tick start this far apart, and closer if there are many. Default 300. */
  staggerMs?: number | undefined;
}

export interface Posts {
  /** Updates every post now. */
  run(): Promise<void>;
  /** Adds a post, unless it is there already. Its first update runs in the background. */
  start(post: PostConfig): void;
  /** Adds a post and waits for its first update. */
  add(post: PostConfig): Promise<PostStatus>;
  /** Updates the posts that match, soon. */
  refresh(matches: (post: PostConfig) => boolean): void;
  /** Retries posts that were refused or waited for their guild, where a change on Discord may have helped. */
  retryBlocked(): void;
  /** Messages were deleted. Posts among them are posted again. */
  deleted(messageIds: readonly string[]): void;
  /** A channel or thread was deleted. */
  channelDeleted(channelId: string): void;
  /** Deletions may have been missed. Every message is checked by an edit. */
  markUnverified(): void;
  /** Ends a post and deletes its state, with `deleting` its message too. */
  remove(key: string, options?: { deleting: boolean }): Promise<void>;
  status(key: string): PostStatus;
  /** Every post, in the order of addition. */
  list(): PostConfig[];
  /** How many there are. */
  count(): number;
  /** Starts no new updates. Running ones get `ms` to finish, then their requests are aborted. */
  stop(ms: number): Promise<void>;
}

/** All posts have their turn within this time. */
const roundMs = 60_000;
/** Discord allows a bot fifty requests a second, for everything. */
const shortestGapMs = 30;

/** How far apart the posts of a round start. @param mostMs the gap between few posts */
export function gapBetween(posts: number, mostMs: number): number {
  return Math.min(mostMs, Math.max(shortestGapMs, roundMs / Math.max(1, posts)));
}

/** A timer may fire a little early by the monotonic clock. */
const timerSlackMs = 5;

interface Running {
  config: PostConfig;
  post: Post;
  stopCron: () => void;
}

/** Starts every post: immediately, then on its cron expression. */
export function startPosts(options: PostsOptions): Posts {
  const { log, staggerMs = 300 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every waiting post adds a listener.
  setMaxListeners(0, signal);
  const posts = new Map<string, Running>();
  const running = new Set<Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();

  function run(post: Post): Promise<void> {
    const work = post.run().finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  /** Staggered, since fifty posts at once would delay answers to members. */
  function runLater({ post }: Running, index: number, gapMs = gapBetween(posts.size, staggerMs)): void {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void run(post);
    }, index * gapMs);
    waiting.add(timer);
  }

  function start(config: PostConfig): Running {
    const post = createPost(config, {
      ...options,
      heartbeatMs: options.heartbeatMs ?? 600_000,
      retryMs: options.retryMs ?? 3_600_000,
      staleAfterMs: options.staleAfterMs ?? 60_000,
      repostMs: options.repostMs ?? 5_000,
      signal,
    });
    const index = posts.size;
    const stopCron = onCron(config.cron, () => runLater(started, index), options.now);
    const started = { config, post, stopCron };
    posts.set(config.key, started);
    return started;
  }

  for (const config of options.posts) start(config);
  for (const [index, each] of [...posts.values()].entries()) runLater(each, index);
  if (posts.size > 0) log.info(`keeping ${posts.size} posts up to date`);

  return {
    async run() {
      await Promise.all([...posts.values()].map(({ post }) => run(post)));
    },
    start(config) {
      if (!posts.has(config.key)) runLater(start(config), posts.size - 1);
    },
    async add(config) {
      const { post } = posts.get(config.key) ?? start(config);
      await run(post);
      return post.status();
    },
    refresh(matches) {
      const found = [...posts.values()].filter(({ config }) => matches(config));
      for (const [index, each] of found.entries()) runLater(each, index);
    },
    retryBlocked() {
      for (const { post } of posts.values()) if (post.canRetry()) void run(post);
    },
    deleted(messageIds) {
      for (const each of posts.values()) {
        void each.post.deleted(messageIds).then((found) => {
          if (found !== null && !signal.aborted) runLater(each, 1, found.waitMs + timerSlackMs);
        });
      }
    },
    channelDeleted(channelId) {
      for (const { config, post } of posts.values()) {
        if (config.channelId !== channelId) continue;
        post.markUnverified();
        void run(post);
      }
    },
    markUnverified() {
      for (const [index, each] of [...posts.values()].entries()) {
        each.post.markUnverified();
        runLater(each, index);
      }
    },
    async remove(key, options) {
      const found = posts.get(key);
      if (found === undefined) return;
      posts.delete(key);
      found.stopCron();
      await found.post.forget(options);
    },
    status: (key) => posts.get(key)?.post.status() ?? { state: 'waiting' },
    list: () => [...posts.values()].map(({ config }) => config),
    count: () => posts.size,
    async stop(ms) {
      for (const { stopCron } of posts.values()) stopCron();
      for (const timer of waiting) clearTimeout(timer);
      await within(Promise.allSettled(running), ms);
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
