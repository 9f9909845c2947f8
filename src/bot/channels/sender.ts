import { createHash } from 'node:crypto';
import { RateLimitError } from '@discordjs/rest';
import { Routes, type APIMessage } from 'discord.js';
import type { PostFailure } from '../../commands/ports/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import { discordCode, discordErrors } from '../discord-error.ts';
import { loggable, notOfDiscord } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import { lacks, type MessagePermission } from './channel-permissions.ts';
import { requestOf, type ChannelMessage } from './channel-message.ts';
import {
  channelRefusal,
  EmbedsForbiddenError,
  failureOf,
  refusalReasons,
  type AttemptFailure,
} from './channel-refusal.ts';
import type { Turn } from './edit-budget.ts';

/** Whose messages a sender writes. */
export interface SenderUse {
  channelId: string;
  /** For log lines: "{name} stopped: …", "{name} works again". */
  name: string;
  /** Logged once for failures that are no refusals. */
  failed: string;
  /** Waits for a second after such a failure, and twice as long after each further one. Left out: others time the attempts. */
  backsOff?: boolean;
}

interface Pause {
  /** By the monotonic clock. */
  until: number;
  /** The pause also ends when the bot's access differs from this; null: access does not matter. */
  access: string | null;
}

/** Messages older than an hour have an edit limit that Discord's rate limit headers do not announce. */
const editLimitMs = 300_000;
/** Discord closes the gateway of a token that is really invalid; while that is open, a 401 is an incident of Discord. */
const tokenRetryMs = 60_000;
const backOff = { firstMs: 1_000, longestMs: 10_000 };

/** The same nonce for the same parts. Discord takes at most 25 characters, and remembers a nonce for a few minutes. */
export function nonceOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

/**
 * Writes the messages of one post, one kill feed or all alerts of a channel. After a refusal by Discord it pauses for
 * `retryMs`, or until the bot's access to the channel changes. `create`, `edit` and `delete` throw the client's errors.
 */
export class Sender {
  readonly #options: JobOptions & SenderUse;
  #pause: Pause = { until: -Infinity, access: null };
  /** Whether the last picture was left out. */
  #isBare = false;
  #failure: PostFailure | null = null;
  /** In a row, without refusals. */
  #failures = 0;
  #running: Promise<unknown> | null = null;
  #isEnded = false;

  constructor(options: JobOptions & SenderUse) {
    this.#options = options;
  }

  /** Why messages fail; null: the last one did not. */
  get failure(): PostFailure | null {
    return this.#failure;
  }

  get isEnded(): boolean {
    return this.#isEnded || this.#options.signal.aborted;
  }

  isPaused(): boolean {
    const { until, access } = this.#pause;
    return this.#options.monotonic() < until && (access === null || access === this.#access());
  }

  pauseFor(ms: number, access: string | null = null): void {
    this.#pause = { until: this.#options.monotonic() + ms, access };
  }

  /** Does `work`, or waits for work that runs. Does nothing while paused. Never rejects. */
  async run(work: () => Promise<unknown>): Promise<void> {
    if (this.isEnded || this.isPaused()) return;
    this.#running ??= this.attempt(work).finally(() => (this.#running = null));
    await this.#running;
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  /** Does no more work, and waits for what runs. Its failure is of no interest any more. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#running;
  }

  /** Does `work` and reports why it fails. Never rejects. Returns null if it succeeds. */
  async attempt(work: () => Promise<unknown>): Promise<AttemptFailure | null> {
    const before = this.#access();
    try {
      await work();
      return null;
    } catch (error) {
      if (!this.isEnded) this.#report(error, before);
      return failureOf(error);
    }
  }

  /** Waits until the channel may get a message or an edit. To be called before each. */
  async turn(kind: Turn): Promise<void> {
    await this.#options.budget.turn(this.#options.channelId, this.#options.signal, kind);
  }

  /** Returns the message's id. While Discord remembers the nonce, a second attempt posts no second message. */
  async create(message: ChannelMessage, nonce: string): Promise<string> {
    const { rest, channelId, signal } = this.#options;
    this.#demandEmbeds();
    const { id } = await this.#write(message, ({ body, files }) => {
      const unique = { ...body, nonce, enforce_nonce: true };
      return rest.post(Routes.channelMessages(channelId), { body: unique, files, signal });
    });
    return id;
  }

  /**
   * Like `create`, for a message that is remembered as being sent. Null: Discord never takes it, so it is left out.
   * @param notAccepted called where Discord did not accept this attempt; an earlier one may still have succeeded
   */
  async deliver(
    message: ChannelMessage,
    nonce: string,
    notAccepted: () => Promise<void>,
  ): Promise<string | null> {
    try {
      return await this.create(message, nonce);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unknown') throw error;
      await notAccepted();
      if (failure === 'notNow' || channelRefusal(error) !== null) throw error;
      const { log, name } = this.#options;
      log.warn({ error: loggable(error) }, `Discord refused a message of the ${name}; it is left out`);
      return null;
    }
  }

  /** Edits a message whose player was hidden or forgotten. @param what `a recap names` */
  async reword(messageId: string, message: ChannelMessage, what: string): Promise<void> {
    await this.#edit(messageId, message).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
      // The message was deleted, or the bot has lost the channel. Another attempt would fail as well.
      this.#options.log.warn(
        { error: loggable(error), messageId },
        `${what} a player who was hidden or forgotten, and cannot be edited; delete it if it is still there`,
      );
    });
  }

  async edit(messageId: string, message: ChannelMessage): Promise<void> {
    this.#demandEmbeds();
    await this.#edit(messageId, message);
  }

  async #edit(messageId: string, message: ChannelMessage): Promise<void> {
    const { rest, channelId, signal } = this.#options;
    const route = Routes.channelMessage(channelId, messageId);
    await this.#write(message, (request) =>
      this.#inOpenThread(() => rest.patch(route, { ...request, signal })),
    );
  }

  /** Does what Discord refuses in an archived thread, and reopens that for it. */
  async #inOpenThread(work: () => Promise<unknown>): Promise<unknown> {
    const { rest, channelId, signal } = this.#options;
    try {
      return await work();
    } catch (error) {
      if (discordCode(error) !== discordErrors.threadArchived) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false }, signal }).catch(() => {
        // The thread is locked. Report that it is closed, not the missing permission to reopen it.
        throw error;
      });
      return await work();
    }
  }

  /** Deletes a message, if it is still there. */
  async delete(messageId: string): Promise<void> {
    const { rest, channelId, signal } = this.#options;
    const route = Routes.channelMessage(channelId, messageId);
    await this.#inOpenThread(() => rest.delete(route, { signal })).catch((error: unknown) => {
      if (discordCode(error) !== discordErrors.unknownMessage) throw error;
    });
  }

  /** Without Embed Links, an alert would be a mention without words, and a post a button or a chart. */
  #demandEmbeds(): void {
    const { channelId, gateway } = this.#options;
    if (!gateway.may('EmbedLinks', channelId))
      throw new EmbedsForbiddenError('the bot lacks Embed Links in the channel');
  }

  /** Writes with the picture, or without where the bot may not attach files. */
  async #write(
    message: ChannelMessage,
    send: (request: ReturnType<typeof requestOf>) => Promise<unknown>,
  ): Promise<Pick<APIMessage, 'id'>> {
    const { log, name, gateway, channelId } = this.#options;
    const isBare = Boolean(message.picture) && !gateway.may('AttachFiles', channelId);
    if (isBare && !this.#isBare)
      log.warn(`${name} has no chart: the bot may not attach files in the channel`);
    this.#isBare = isBare;
    const answer = await send(requestOf(isBare ? { ...message, picture: null } : message));
    const { id } = Object(answer) as Partial<APIMessage>;
    if (typeof id !== 'string') throw new Error(notOfDiscord);
    if (this.#failure !== null) log.info(`${name} works again`);
    this.#failure = null;
    this.#failures = 0;
    return { id };
  }

  #report(error: unknown, before: string): void {
    const { log, name, failed, retryMs, backsOff = false } = this.#options;
    const limitMs = error instanceof RateLimitError ? Math.max(error.retryAfter, error.timeToReset) : null;
    const refusal = channelRefusal(error);
    if (refusal !== null) {
      const ownPause: Partial<Record<PostFailure, number>> = {
        editedTooOften: limitMs ?? editLimitMs,
        token: tokenRetryMs,
      };
      const ms = ownPause[refusal] ?? retryMs;
      const access = refusal in ownPause ? null : before;
      this.pauseFor(ms, access);
      const minutes = Math.ceil(ms / 60_000);
      const next = `next attempt in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
      const orSooner = access === null ? '' : ', or as soon as that changes';
      const text = `${name} stopped: ${this.#reasonOf(refusal)}; ${next}${orSooner}`;
      if (this.#failure === refusal) log.debug(text);
      else if (refusal === 'editedTooOften') log.warn(text);
      else log.error(text);
      this.#failure = refusal;
    } else if (error instanceof RateLimitError && limitMs !== null) {
      this.pauseFor(limitMs);
      if (!error.global) return;
      const seconds = Math.ceil(limitMs / 1_000);
      if (this.#failure === null)
        log.warn(`${name} waits: Discord takes no requests of the bot for ${seconds} s`);
      this.#failure = 'other';
    } else {
      if (this.#failure === null) log.warn({ error: loggable(error) }, failed);
      this.#failure = 'other';
      this.#failures += 1;
      if (backsOff) this.pauseFor(backOffMs(this.#failures, backOff.firstMs, backOff.longestMs));
    }
  }

  /** Names all permissions that are missing: who grants the first one alone would only find out about the next. */
  #reasonOf(refusal: keyof typeof refusalReasons): string {
    const { channelId, gateway } = this.#options;
    const granted = gateway.permissionsIn(channelId);
    if (granted === null || (refusal !== 'noAccess' && refusal !== 'noPermission'))
      return refusalReasons[refusal];
    const send = granted.isThread ? 'Send Messages in Threads' : 'Send Messages';
    const needed: MessagePermission[] = ['View Channel', send, 'Embed Links'];
    const missing = needed.filter((name) => lacks(granted.permissions, name));
    return missing.length === 0
      ? refusalReasons[refusal]
      : `the bot lacks ${new Intl.ListFormat('en').format(missing)} in the channel`;
  }

  #access(): string {
    return this.#options.gateway.accessOf(this.#options.channelId);
  }
}
