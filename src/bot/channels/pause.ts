import { RateLimitError } from '@discordjs/rest';
import type { Logger } from 'pino';
import type { PostFailure } from '../../commands/interfaces/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { jobRetry, oldEditsMs, tokenRetryMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { lacks, type MessagePermission } from './channel-permissions.ts';
import { channelRefusal, type ChannelRefusal } from './refusal.ts';

/** For the log. */
const reasons = {
  channelGone: 'the channel does not exist',
  noAccess: 'the bot cannot see the channel',
  noPermission: 'the bot may not send messages with embeds in the channel',
  threadClosed:
    'the thread is archived or locked, and the bot may not reopen it; reopen it, or give the bot Manage Threads',
  notText:
    'no message can be sent to the channel, as to forums and categories; name a text channel or a thread',
  token: 'Discord rejects the token',
  editedTooOften: 'Discord limits edits of messages in the channel',
} as const satisfies Record<ChannelRefusal, string>;

interface PauseOptions {
  channelId: string;
  /** For log lines: "{name} stopped: …", "{name} works again". */
  name: string;
  gateway: Gateway;
  monotonic: () => number;
  /** How long a refusal pauses. */
  retryMs: number;
  /** Whether other failures pause, too, and not only have another attempt made. */
  backsOff: boolean;
  log: Logger;
}

/**
 * What a job does after a failure.
 *
 * - works: the last message or edit was accepted, or there was none yet.
 * - paused until a time: after a rate limit, or a failure that is no refusal.
 * - paused until a time, or until the bot's access to the channel changes: after a refusal.
 */
export class Pause {
  readonly #options: PauseOptions;
  /** By the monotonic clock. */
  #until = -Infinity;
  /** The pause also ends when the bot's access differs from this; null: access does not matter. */
  #access: string | null = null;
  #failure: PostFailure | null = null;
  /** In a row, without refusals. */
  #failures = 0;

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  /** Why messages fail; null: the last one did not. */
  get failure(): PostFailure | null {
    return this.#failure;
  }

  /** Milliseconds until the next attempt; 0: nothing is paused. */
  get leftMs(): number {
    const hasOtherAccess = this.#access !== null && this.#access !== this.access();
    return hasOtherAccess ? 0 : Math.max(0, this.#until - this.#options.monotonic());
  }

  /** The bot's access to the channel, to be read before an attempt: it may change during that. */
  access(): string {
    return this.#options.gateway.accessOf(this.#options.channelId);
  }

  start(ms: number, access: string | null = null): void {
    this.#until = this.#options.monotonic() + ms;
    this.#access = access;
  }

  /** Discord accepted something. */
  end(): void {
    if (this.#failure !== null) this.#options.log.info(`${this.#options.name} works again`);
    this.#failure = null;
    this.#failures = 0;
  }

  /**
   * Logs why an attempt failed, once, and pauses.
   * @param access from before the attempt
   * @returns in how many milliseconds the next attempt is due
   */
  report(error: unknown, access: string): number {
    const limitMs = error instanceof RateLimitError ? Math.max(error.retryAfter, error.timeToReset) : null;
    const refusal = channelRefusal(error);
    if (refusal !== null) return this.#refused(refusal, limitMs, access);
    return limitMs === null ? this.#failed(error) : this.#limited(error as RateLimitError, limitMs);
  }

  #limited({ global: isGlobal }: RateLimitError, ms: number): number {
    const { log, name } = this.#options;
    this.start(ms);
    // A channel that is busy for a moment is no failure.
    if (!isGlobal) return ms;
    const seconds = Math.ceil(ms / 1_000);
    if (this.#failure === null)
      log.warn(`${name} waits: Discord takes no requests of the bot for ${seconds} s`);
    this.#failure = 'other';
    return ms;
  }

  #failed(error: unknown): number {
    const { log, name, backsOff } = this.#options;
    if (this.#failure === null)
      log.warn({ error: loggable(error) }, `${name}: could not write a message; the bot keeps trying`);
    this.#failure = 'other';
    this.#failures += 1;
    const ms = backOffMs(this.#failures, jobRetry.firstMs, jobRetry.longestMs);
    if (backsOff) this.start(ms);
    return ms;
  }

  #refused(refusal: ChannelRefusal, limitMs: number | null, access: string): number {
    const { log, name, retryMs } = this.#options;
    const isTimed = refusal === 'editedTooOften' || refusal === 'token';
    const ms = !isTimed ? retryMs : refusal === 'token' ? tokenRetryMs : (limitMs ?? oldEditsMs);
    this.start(ms, isTimed ? null : access);
    const minutes = Math.ceil(ms / 60_000);
    const next = `next attempt in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
    const orSooner = isTimed ? '' : ', or as soon as that changes';
    const level = this.#failure === refusal ? 'debug' : refusal === 'editedTooOften' ? 'warn' : 'error';
    log[level](`${name} stopped: ${this.#reasonOf(refusal)}; ${next}${orSooner}`);
    this.#failure = refusal;
    return ms;
  }

  /** Names all permissions that are missing: who grants the first one alone would only find out about the next. */
  #reasonOf(refusal: ChannelRefusal): string {
    const { channelId, gateway } = this.#options;
    const granted = gateway.permissionsIn(channelId);
    if (granted === null || (refusal !== 'noAccess' && refusal !== 'noPermission')) return reasons[refusal];
    const send = granted.isThread ? 'Send Messages in Threads' : 'Send Messages';
    const needed: MessagePermission[] = ['View Channel', send, 'Embed Links'];
    const missing = needed.filter((name) => lacks(granted.permissions, name));
    return missing.length === 0
      ? reasons[refusal]
      : `the bot lacks ${new Intl.ListFormat('en').format(missing)} in the channel`;
  }
}
