import type { PostStatus } from '../../../commands/ports/placements.ts';
import { PlacedJobs } from '../placed-jobs.ts';
import type { PostConfig } from './post-config.ts';
import { Post, type PostOptions } from './post.ts';

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
export class Posts extends PlacedJobs<PostConfig, Post> {
  readonly #options: PostOptions;

  constructor(options: PostOptions) {
    super(options);
    this.#options = options;
  }

  override start(config: PostConfig): void {
    const post = this.add(config);
    if (post !== null) this.due(post);
  }

  /** Updates a post now. `waiting`: there is none with this key. */
  async update(key: string): Promise<PostStatus> {
    await this.find(key)?.run();
    return this.status(key);
  }

  /** Updates the posts that match, soon. */
  refresh(matches: (post: PostConfig) => boolean): void {
    const found = this.jobs.filter(({ config }) => matches(config));
    for (const [index, post] of found.entries()) this.#runLater(post, index);
  }

  /** Retries posts that failed or waited for their guild, where a change on Discord may have helped. */
  retryBlocked(): void {
    for (const post of this.jobs) if (post.isBlocked()) void post.run();
  }

  /** Messages were deleted. Posts among them are posted again. */
  deleted(messageIds: readonly string[]): void {
    for (const post of this.jobs) {
      void post.deleted(messageIds).then((found) => {
        if (found !== null) this.#runLater(post, 1, found.waitMs + timerSlackMs);
      });
    }
  }

  /** A channel or thread was deleted. */
  channelDeleted(channelId: string): void {
    for (const post of this.jobs) {
      if (post.config.channelId !== channelId) continue;
      post.markUnverified();
      void post.run();
    }
  }

  /** Deletions may have been missed. Every message is checked by an edit. */
  markUnverified(): void {
    for (const post of this.jobs) post.markUnverified();
    this.refresh(() => true);
  }

  override status(key: string): PostStatus {
    return super.status(key) ?? { state: 'waiting' };
  }

  /** How far apart posts start. */
  get gapMs(): number {
    return gapBetween(this.jobs.length, this.#options.staggerMs);
  }

  /** Staggered, since fifty posts at once would delay answers to members. */
  #runLater(post: Post, index: number, gapMs = this.gapMs): void {
    const run = () => void (this.isStopped || post.run());
    setTimeout(run, index * gapMs).unref();
  }

  /** Should the bot come back to a guild, the message of a post of the config is still there, and goes on. */
  protected override keepsState({ guildId }: PostConfig): boolean {
    return guildId === undefined;
  }

  protected override create(config: PostConfig): Post {
    return new Post(config, this.#options);
  }

  protected override due(post: Post): void {
    this.#runLater(post, this.jobs.indexOf(post));
  }
}
