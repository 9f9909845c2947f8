import type { PostStatus } from '../../../commands/placements.ts';
import { onCron } from '../../../process/cron.ts';
import type { PostConfig } from './post-config.ts';
import { Post, type PostOptions } from './post.ts';

export interface PostsOptions extends PostOptions {
  /** Posts of one tick start this far apart, and closer if there are many. */
  staggerMs: number;
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

/** All posts. Each is updated when it starts, then on its cron expression. */
export class Posts {
  readonly #options: PostsOptions;
  readonly #posts = new Map<string, { post: Post; stopCron: () => void }>();
  #isStopped = false;

  constructor(configs: readonly PostConfig[], options: PostsOptions) {
    this.#options = options;
    for (const config of configs) this.#start(config);
    this.refresh(() => true);
    if (this.#posts.size > 0) options.log.info(`keeping ${this.#posts.size} posts up to date`);
  }

  /** Updates every post now. */
  async run(): Promise<void> {
    await Promise.all(Array.from(this.#posts.values(), ({ post }) => post.run()));
  }

  /** Adds a post, unless it is there already. Its first update runs in the background. */
  start(config: PostConfig): void {
    if (!this.#posts.has(config.key)) this.#runLater(this.#start(config), this.#posts.size - 1);
  }

  /** Updates a post now. `waiting`: there is none with this key. */
  async update(key: string): Promise<PostStatus> {
    await this.#posts.get(key)?.post.run();
    return this.status(key);
  }

  /** Updates the posts that match, soon. */
  refresh(matches: (post: PostConfig) => boolean): void {
    const found = [...this.#posts.values()].filter(({ post }) => matches(post.config));
    for (const [index, { post }] of found.entries()) this.#runLater(post, index);
  }

  /** Retries posts that failed or waited for their guild, where a change on Discord may have helped. */
  retryBlocked(): void {
    for (const { post } of this.#posts.values()) if (post.isBlocked()) void post.run();
  }

  /** Messages were deleted. Posts among them are posted again. */
  deleted(messageIds: readonly string[]): void {
    for (const { post } of this.#posts.values()) {
      void post.deleted(messageIds).then((found) => {
        if (found !== null) this.#runLater(post, 1, found.waitMs + timerSlackMs);
      });
    }
  }

  /** A channel or thread was deleted. */
  channelDeleted(channelId: string): void {
    for (const { post } of this.#posts.values()) {
      if (post.config.channelId !== channelId) continue;
      post.markUnverified();
      void post.run();
    }
  }

  /** Deletions may have been missed. Every message is checked by an edit. */
  markUnverified(): void {
    for (const { post } of this.#posts.values()) post.markUnverified();
    this.refresh(() => true);
  }

  /** Ends a post and deletes its state, with `deleting` its message too. */
  async remove(key: string, options?: { deleting: boolean }): Promise<void> {
    const found = this.#posts.get(key);
    if (found === undefined) return;
    this.#posts.delete(key);
    found.stopCron();
    await found.post.forget(options);
  }

  status(key: string): PostStatus {
    return this.#posts.get(key)?.post.status() ?? { state: 'waiting' };
  }

  /** Every post, in the order of addition. */
  list(): PostConfig[] {
    return Array.from(this.#posts.values(), ({ post }) => post.config);
  }

  /** How far apart posts start. */
  get gapMs(): number {
    return gapBetween(this.#posts.size, this.#options.staggerMs);
  }

  /** Starts no new updates. Resolves when those that run have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { stopCron } of this.#posts.values()) stopCron();
    await Promise.all(Array.from(this.#posts.values(), ({ post }) => post.settle()));
  }

  /** Staggered, since fifty posts at once would delay answers to members. */
  #runLater(post: Post, index: number, gapMs = this.gapMs): void {
    const run = () => void (this.#isStopped || post.run());
    setTimeout(run, index * gapMs).unref();
  }

  #start(config: PostConfig): Post {
    const post = new Post(config, this.#options);
    const index = this.#posts.size;
    const stopCron = onCron(config.cron, () => this.#runLater(post, index), this.#options.now);
    this.#posts.set(config.key, { post, stopCron });
    return post;
  }
}
