import { setMaxListeners } from 'node:events';
import type { PostStatus } from '../../commands/placements.ts';
import { onCron } from '../../process/cron.ts';
import { within } from '../time-limit.ts';
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
  /** Posts of one tick start this far apart. Default 300. */
  staggerMs?: number | undefined;
}

export interface Posts {
  /** Brings every post up to date, now. */
  run(): Promise<void>;
  /** Keeps one more up to date, in its turn. */
  start(post: PostConfig): void;
  /** Keeps one more up to date; resolves when it stands, or why it does not is known. */
  add(post: PostConfig): Promise<PostStatus>;
  /** Something changed at Discord: what was refused, or waited for its guild, is tried again where it may work now. */
  retryBlocked(): void;
  /** Messages were deleted: posts among them are posted anew. */
  deleted(messageIds: readonly string[]): void;
  /** A channel or thread was deleted. */
  channelDeleted(channelId: string): void;
  /** Deletions may have been missed: every message is checked by an edit. */
  markUnverified(): void;
  /** Lets a post go and forgets its message; deletes it where that is asked for. */
  remove(key: string, options?: { deleting: boolean }): Promise<void>;
  status(key: string): PostStatus;
  /** Every post, in the order in which they were added. */
  list(): PostConfig[];
  /** No new runs; those under way may finish for `ms`, then their requests are cut. */
  stop(ms: number): Promise<void>;
}

/** A timer may fire a little early by the monotonic clock. */
const timerSlackMs = 5;

interface Running {
  config: PostConfig;
  post: Post;
  stopCron: () => void;
}

/** Starts every post: once at once, then on its cron. */
export function startPosts(options: PostsOptions): Posts {
  const { log, staggerMs = 300 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every post listens to it while it waits.
  setMaxListeners(0, signal);
  const posts = new Map<string, Running>();
  const running = new Set<Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();

  function run(post: Post): Promise<void> {
    const work = post.run().finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  /** Drawing and asking for fifty posts at once would hold up the answers to members. */
  function runLater({ post }: Running, index: number, gapMs = staggerMs): void {
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

  for (const config of options.posts) runLater(start(config), posts.size - 1);
  if (posts.size > 0) log.info(`${posts.size} posts are kept up to date`);

  return {
    async run() {
      await Promise.all([...posts.values()].map(({ post }) => run(post)));
    },
    start: (config) => runLater(start(config), posts.size - 1),
    async add(config) {
      const { post } = posts.get(config.key) ?? start(config);
      await run(post);
      return post.status();
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
    async stop(ms) {
      for (const { stopCron } of posts.values()) stopCron();
      for (const timer of waiting) clearTimeout(timer);
      await within(Promise.allSettled(running), ms);
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
