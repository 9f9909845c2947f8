import { schedule } from 'node-cron';
import { createStatusPost, type StatusPost, type StatusPostOptions } from './status-post.ts';
import { within } from './time-limit.ts';

/** An entry of `discord.statusPosts` in the config. */
export interface StatusPostConfig {
  channelId: string;
  cron: string;
  servers: readonly string[];
}

export interface StatusPostsOptions extends Pick<
  StatusPostOptions,
  'rest' | 'client' | 'keyv' | 'log' | 'now' | 'language'
> {
  posts: readonly StatusPostConfig[];
  /** Default 10 minutes. */
  heartbeatMs?: number | undefined;
  /** Default 1 hour. */
  retryMs?: number | undefined;
  /** Default 1 minute. */
  staleAfterMs?: number | undefined;
  /** Posts of one tick start this far apart: a channel takes about three edits in six seconds. Default 700. */
  staggerMs?: number | undefined;
}

export interface StatusPosts {
  /** Brings every post up to date, now. */
  run(): Promise<void>;
  /** No new runs; those under way may finish for `ms`, then their requests are cut. */
  stop(ms: number): Promise<void>;
}

/** Key under which a post's message is kept: its channel and its place among the posts there, so that its servers may change. */
export function postKeys(posts: readonly Pick<StatusPostConfig, 'channelId'>[]): string[] {
  const seen = new Map<string, number>();
  return posts.map(({ channelId }) => {
    const place = seen.get(channelId) ?? 0;
    seen.set(channelId, place + 1);
    return `status-post:${channelId}:${place}`;
  });
}

/** Starts every post: once at once, then on its cron. */
export function startStatusPosts(options: StatusPostsOptions): StatusPosts {
  const { posts, log, staggerMs = 700 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();
  const keys = postKeys(posts);

  const started = posts.map((config, index) =>
    createStatusPost({
      ...options,
      ...config,
      key: keys[index]!,
      heartbeatMs: options.heartbeatMs ?? 600_000,
      retryMs: options.retryMs ?? 3_600_000,
      staleAfterMs: options.staleAfterMs ?? 60_000,
      signal,
    }),
  );

  function run(post: StatusPost): Promise<void> {
    const work = post.run().finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  function runLater(post: StatusPost, index: number): void {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void run(post);
    }, index * staggerMs);
    waiting.add(timer);
  }

  const tasks = posts.map(({ cron }, index) =>
    schedule(cron, () => runLater(started[index]!, index), { suppressMissedWarning: true }),
  );
  for (const [index, post] of started.entries()) runLater(post, index);
  if (posts.length > 0) log.info(`${posts.length} status posts are kept up to date`);

  return {
    async run() {
      await Promise.all(started.map(run));
    },
    async stop(ms) {
      for (const task of tasks) await task.destroy();
      for (const timer of waiting) clearTimeout(timer);
      await within(Promise.allSettled(running), ms);
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
