import { RateLimitError } from '@discordjs/rest';
import type { Logger } from 'pino';
import type { PostFailure } from '../../commands/ports/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import { discordCode, discordErrors, httpStatus } from '../discord-error.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { loggable } from '../loggable.ts';
import { lacks, type MessagePermission } from './channel-permissions.ts';
import { backOff, oldEditsMs, tokenRetryMs } from './timing.ts';

/** Why Discord currently refuses messages in a channel. */
type ChannelRefusal = Exclude<PostFailure, 'other' | 'otherProject'>;

const codes = new Map<number, ChannelRefusal>([
  [discordErrors.unknownChannel, 'channelGone'],
  [discordErrors.missingAccess, 'noAccess'],
  [discordErrors.missingPermission, 'noPermission'],
  [discordErrors.threadArchived, 'threadClosed'],
  [discordErrors.threadLocked, 'threadClosed'],
  [discordErrors.notTextChannel, 'notText'],
  [discordErrors.wrongChannelType, 'notText'],
  [discordErrors.tooManyOldEdits, 'editedTooOften'],
]);

/** The bot may not send embeds in the channel. Discord would take the message all the same, and drop them. */
export class EmbedsForbiddenError extends Error {
  override readonly name = 'EmbedsForbiddenError';
}

/** For the log. */
const refusalReasons = {
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

/** The refusal that an error stands for; null: the error is not a refusal, and a retry may succeed. */
export function channelRefusal(error: unknown): ChannelRefusal | null {
  // A new message comes as soon as the limit is over.
  if (error instanceof RateLimitError)
    return error.method === 'PATCH' && !error.global ? 'editedTooOften' : null;
  if (error instanceof EmbedsForbiddenError) return 'noPermission';
  if (httpStatus(error) === 401) return 'token';
  return codes.get(discordCode(error) ?? 0) ?? null;
}

/**
 * What the error of an attempt says about the message. `notNow`: it was not accepted, and may be later. `refused`: it never is.
 * `unknown`: it may have arrived.
 */
export type AttemptFailure = 'notNow' | 'refused' | 'unknown';

/** No connection was made, so Discord cannot have the message. */
const neverArrived = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function codeOf(error: unknown): string {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : cause === undefined ? '' : codeOf(cause);
}

export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof EmbedsForbiddenError || neverArrived.has(codeOf(error))) return 'notNow';
  const status = httpStatus(error);
  // Discord answers 401 for a moment when a token is reset, and then closes the gateway.
  if (error instanceof RateLimitError || status === 429 || status === 401) return 'notNow';
  // Only a response with Discord's own body says that the message was not accepted.
  const isAnswer = status !== null && status >= 400 && status < 500;
  return isAnswer && discordCode(error) !== null ? 'refused' : 'unknown';
}

export interface PauseOptions {
  channelId: string;
  /** For log lines: "{name} stopped: …", "{name} works again". */
  name: string;
  gateway: Gateway;
  monotonic: () => number;
  /** How long a refusal pauses. */
  retryMs: number;
  /** Whether other failures pause, too. Left out: whoever asks for another attempt gets it. */
  backsOff?: boolean;
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
  #againMs = 0;

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

  /** How long after the last failure the next attempt is due, at the latest. */
  get againMs(): number {
    return this.#againMs;
  }

  start(ms: number, access: string | null = null): void {
    this.#until = this.#options.monotonic() + ms;
    this.#access = access;
    this.#againMs = ms;
  }

  /** Discord accepted something. */
  end(): void {
    if (this.#failure !== null) this.#options.log.info(`${this.#options.name} works again`);
    this.#failure = null;
    this.#failures = 0;
  }

  /** Logs why an attempt failed, once, and pauses. @param access from before the attempt */
  report(error: unknown, access: string): void {
    const { log, name, backsOff } = this.#options;
    const refusal = channelRefusal(error);
    const limitMs = error instanceof RateLimitError ? Math.max(error.retryAfter, error.timeToReset) : null;
    if (refusal !== null) return this.#refused(refusal, limitMs, access);
    if (limitMs !== null) {
      this.start(limitMs);
      if (!(error as RateLimitError).global) return;
      const seconds = Math.ceil(limitMs / 1_000);
      if (this.#failure === null)
        log.warn(`${name} waits: Discord takes no requests of the bot for ${seconds} s`);
    } else {
      if (this.#failure === null)
        log.warn({ error: loggable(error) }, `${name}: could not write a message; the bot keeps trying`);
      this.#failures += 1;
      const ms = backOffMs(this.#failures, backOff.firstMs, backOff.longestMs);
      if (backsOff) this.start(ms);
      this.#againMs = ms;
    }
    this.#failure = 'other';
  }

  #refused(refusal: ChannelRefusal, limitMs: number | null, access: string): void {
    const { log, name, retryMs } = this.#options;
    const ownMs: Partial<Record<ChannelRefusal, number>> = {
      editedTooOften: limitMs ?? oldEditsMs,
      token: tokenRetryMs,
    };
    const ms = ownMs[refusal] ?? retryMs;
    const endsWithAccess = !(refusal in ownMs);
    this.start(ms, endsWithAccess ? access : null);
    const minutes = Math.ceil(ms / 60_000);
    const next = `next attempt in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
    const orSooner = endsWithAccess ? ', or as soon as that changes' : '';
    const text = `${name} stopped: ${this.#reasonOf(refusal)}; ${next}${orSooner}`;
    if (this.#failure === refusal) log.debug(text);
    else if (refusal === 'editedTooOften') log.warn(text);
    else log.error(text);
    this.#failure = refusal;
  }

  /** Names all permissions that are missing: who grants the first one alone would only find out about the next. */
  #reasonOf(refusal: ChannelRefusal): string {
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
}
