import { createHash } from 'node:crypto';
import type { APIEmbed } from 'discord.js';
import type { PostStatus } from '../../../commands/ports/placements.ts';
import { backOffMs } from '../../../process/back-off.ts';
import { discordCode, discordErrors } from '../../discord-error.ts';
import { loggable } from '../../loggable.ts';
import type { JobOptions } from '../background-options.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { failureOf } from '../channel-refusal.ts';
import type { GuildContext } from '../placed-config.ts';
import { SendingJob } from '../placed-jobs.ts';
import { nonceOf } from '../sender.ts';
import type { PostConfig } from './post-config.ts';
import { pausedView, postView, type PostAnswers } from './post-view.ts';

/** What a post takes from its guild. */
export interface PostContext extends Omit<GuildContext, 'guildId'> {
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  isHome: boolean;
  /** The post's servers belong to another project, so nothing is posted. */
  isForeign: boolean;
}

export type PostOptions = JobOptions & {
  /** Null: the guild is not available yet, so the language is unknown. */
  contextOf: (post: PostConfig) => Promise<PostContext | null>;
};

interface PostState {
  messageId: string;
  digest: string;
  /** When the service last answered, epoch milliseconds. */
  answeredAt: number | null;
}

const otherProject = { state: 'failing', reason: 'otherProject' } as const;

/** One message that is edited in place. Nothing happens before the first `run()`. */
export class Post extends SendingJob<PostConfig> {
  readonly #options: PostOptions;
  readonly #name: string;
  /** Null: not read yet. It is stored for the next process only. */
  #kept: { state: PostState | undefined; isSaved: boolean } | null = null;
  #isSaveFailing = false;
  readonly #answers: PostAnswers = { at: null, failure: null };
  /** By the monotonic clock. Null: the message may be gone. */
  #editedAt: number | null = null;
  #isDeleted = false;
  /** Recent deletions. A moderation bot may delete every new message. */
  #deletions = { count: 0, at: -Infinity };
  #waitsForGuild = false;
  #isForeign = false;

  constructor(config: PostConfig, options: PostOptions) {
    const name = `${config.content.kind} post`;
    super(config, options, { name, failed: `could not update the ${name}; the bot retries with every run` });
    this.#options = options;
    this.#name = name;
  }

  async run(): Promise<void> {
    await this.sender.run(() => this.#update());
  }

  override status(): PostStatus {
    const failing = this.#isForeign ? otherProject : super.status();
    if (failing !== null) return failing;
    const messageId = this.#kept?.state?.messageId;
    if (messageId === undefined || this.#editedAt === null) return { state: 'waiting' };
    return { state: 'shown', messageId };
  }

  /** Whether the post fails, or waits for its guild. */
  isBlocked(): boolean {
    return this.#waitsForGuild || this.sender.failure !== null;
  }

  /** Reports deleted messages. If this post's message is among them, resolves with the delay before it is posted again, else null. */
  async deleted(messageIds: readonly string[]): Promise<{ waitMs: number } | null> {
    // A running update may have noticed the deletion and posted the message again.
    await this.sender.settle();
    const messageId = this.#kept?.state?.messageId;
    if (this.#isDeleted || messageId === undefined || !messageIds.includes(messageId)) return null;
    const { monotonic, retryMs, repostMs, heartbeatMs } = this.#options;
    this.#isDeleted = true;
    this.#editedAt = null;
    const isRecent = monotonic() - this.#deletions.at < retryMs;
    this.#deletions = { count: isRecent ? this.#deletions.count + 1 : 1, at: monotonic() };
    const waitMs = backOffMs(this.#deletions.count, repostMs, heartbeatMs);
    this.sender.pauseFor(waitMs);
    this.log.info(
      `${this.#name}: its message was deleted; posting it again in ${Math.ceil(waitMs / 1000)} s`,
    );
    return { waitMs };
  }

  /** The message may be gone. The next run edits it, or posts it again. */
  markUnverified(): void {
    this.#editedAt = null;
  }

  override async end({ deleting } = { deleting: false }): Promise<void> {
    await super.end();
    const messageId = deleting ? (await this.#read()).state?.messageId : undefined;
    if (messageId === undefined) return;
    await this.sender.delete(messageId).catch((error: unknown) => {
      this.log.warn({ error: loggable(error) }, `${this.#name}: could not delete its message`);
      if (failureOf(error) !== 'refused') throw error;
    });
  }

  async #update(): Promise<void> {
    const { now, monotonic, heartbeatMs, contextOf } = this.#options;
    const { state } = await this.#read();
    await this.#save();
    this.#answers.at ??= state?.answeredAt ?? null;
    const context = await contextOf(this.config);
    this.#waitsForGuild = context === null;
    if (context === null) return;
    this.#isForeign = context.isForeign;
    if (context.isForeign) return await this.#withdraw(state?.messageId);
    const view = await this.#viewIn(context);
    if (view === null || this.sender.isEnded) return;
    const digest = digestOf(view.embeds, now());
    const isCurrent = this.#editedAt !== null && monotonic() - this.#editedAt < heartbeatMs;
    if (state?.digest === digest && isCurrent) return;
    const previousId = this.#isDeleted ? undefined : state?.messageId;
    this.#isDeleted = false;
    const messageId = await this.#show(view, previousId).catch((error: unknown) => {
      this.#isDeleted ||= previousId === undefined;
      throw error;
    });
    this.#editedAt = monotonic();
    this.#kept = { state: { messageId, digest, answeredAt: this.#answers.at }, isSaved: false };
    await this.#save();
  }

  async #read(): Promise<{ state: PostState | undefined }> {
    const { keyv } = this.#options;
    this.#kept ??= { state: await keyv.get<PostState>(this.config.key), isSaved: true };
    return this.#kept;
  }

  async #viewIn(context: PostContext): Promise<ChannelMessage | null> {
    if (context.paused) return pausedView(context.language);
    const source = { ...this.#options, ...context.project, log: this.log };
    return await postView(source, this.config.content, { ...context, answers: this.#answers });
  }

  /** Shows `view` and returns the message's id: the same one, or a new one if the message was deleted. */
  async #show(view: ChannelMessage, messageId: string | undefined): Promise<string> {
    await this.sender.turn('edit');
    if (messageId === undefined) return await this.#create(view);
    try {
      await this.sender.edit(messageId, view);
      return messageId;
    } catch (error) {
      const code = discordCode(error);
      if (code !== discordErrors.unknownMessage && code !== discordErrors.otherAuthor) throw error;
      const why = code === discordErrors.unknownMessage ? 'was deleted' : 'belongs to another bot';
      this.log.info(`${this.#name}: its message ${why}; posting it again`);
      return await this.#create(view);
    }
  }

  /**
   * The nonce follows from the message before. It is the same for a retry, and for the next process where this one is
   * killed before it stores the message's id: while Discord remembers it, no second message is posted.
   */
  async #create(view: ChannelMessage): Promise<string> {
    return await this.sender.create(view, nonceOf(this.config.key, this.#kept?.state?.messageId ?? ''));
  }

  /** Takes the message away: what it shows is none of this guild's. */
  async #withdraw(messageId: string | undefined): Promise<void> {
    if (messageId === undefined || this.#isDeleted) return;
    await this.sender.turn('edit');
    await this.sender.delete(messageId);
    this.#isDeleted = true;
    this.#editedAt = null;
  }

  /** Stores the state for the next process. A failed save is retried with every run. */
  async #save(): Promise<void> {
    if (this.#kept === null || this.#kept.isSaved) return;
    try {
      await this.#options.keyv.set(this.config.key, this.#kept.state);
      this.#kept.isSaved = true;
      this.#isSaveFailing = false;
    } catch (error) {
      if (!this.#isSaveFailing) {
        this.log.warn(
          { error: loggable(error) },
          `${this.#name}: could not save the message id; a restart now would post a second message`,
        );
      }
      this.#isSaveFailing = true;
    }
  }
}

const relativeTime = /<t:(\d+):R>/g;

/**
 * A hash of the embeds that ignores relative times in the past: Discord updates these on screen by itself, so they need no
 * edit. Times in the future, such as the next restart, count.
 */
function digestOf(embeds: readonly APIEmbed[], now: number): string {
  const text = JSON.stringify(embeds).replace(relativeTime, (whole, seconds: string) =>
    Number(seconds) * 1000 <= now ? '<age>' : whole,
  );
  return createHash('sha256').update(text).digest('base64url');
}
