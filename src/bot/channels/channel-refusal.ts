import { RateLimitError } from '@discordjs/rest';
import type { PostFailure } from '../../commands/placements.ts';
import { discordCode, discordErrors, httpStatus } from '../discord-error.ts';

/** Why Discord currently refuses messages in a channel. */
export type ChannelRefusal = Exclude<PostFailure, 'other' | 'otherProject'>;

const codes = new Map<number, ChannelRefusal>([
  [discordErrors.unknownChannel, 'channelGone'],
  [discordErrors.missingAccess, 'noAccess'],
  [discordErrors.missingPermission, 'noPermission'],
  [discordErrors.threadArchived, 'threadClosed'],
  [discordErrors.threadLocked, 'threadClosed'],
  [discordErrors.tooManyOldEdits, 'editedTooOften'],
]);

const reasons = {
  channelGone: 'the channel does not exist',
  noAccess: 'the bot cannot see the channel',
  noPermission: 'the bot may not send messages with embeds in the channel',
  threadClosed:
    'the thread is archived or locked, and the bot may not reopen it; reopen it, or give the bot Manage Threads',
  token: 'Discord rejects the token',
  editedTooOften: 'Discord limits edits of messages in the channel',
} as const satisfies Record<ChannelRefusal, string>;

/** The refusal that an error stands for; null: the error is not a refusal, and an immediate retry may succeed. */
export function channelRefusal(error: unknown): ChannelRefusal | null {
  if (error instanceof RateLimitError) return 'editedTooOften';
  if (httpStatus(error) === 401) return 'token';
  return codes.get(discordCode(error) ?? 0) ?? null;
}

/** Messages older than an hour have an edit limit that Discord's rate limit headers do not announce. */
const limitPauseMs = 300_000;

/** The pause of a channel after a refusal. */
export interface ChannelPause {
  ms: number;
  /** By the monotonic clock. */
  until: number;
  /** The pause also ends when the bot's access differs from this; null: access does not matter. */
  access: string | null;
}

/** @param before the bot's access to the channel (`Gateway.accessOf`) when the refused request started */
export function pauseAfter(
  refusal: ChannelRefusal,
  error: unknown,
  { retryMs, monotonic, before }: { retryMs: number; monotonic: number; before: string },
): ChannelPause {
  const pause = (ms: number, access: string | null) => ({ ms, until: monotonic + ms, access });
  if (refusal === 'token') return pause(retryMs, null);
  if (refusal !== 'editedTooOften') return pause(retryMs, before);
  const waits = error instanceof RateLimitError;
  return pause(waits ? Math.max(error.retryAfter, error.timeToReset) : limitPauseMs, null);
}

/** For the log: why nothing is posted, and when the next attempt is. */
export function stoppedText(refusal: ChannelRefusal, { ms, access }: ChannelPause): string {
  const minutes = Math.ceil(ms / 60_000);
  const next = `next attempt in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `stopped: ${reasons[refusal]}; ${next}${access === null ? '' : ', or as soon as that changes'}`;
}

/** Whether the pause still holds. */
export function isPaused(pause: ChannelPause | null, monotonic: number, access: () => string): boolean {
  if (pause === null || monotonic >= pause.until) return false;
  return pause.access === null || pause.access === access();
}
