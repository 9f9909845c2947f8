import { RateLimitError } from '@discordjs/rest';
import type { PostFailure } from '../commands/placements.ts';
import { discordCode, discordErrors, httpStatus } from './discord-error.ts';

/** Why Discord will not have a message in a channel, for now. */
export type ChannelRefusal = Exclude<PostFailure, 'other'>;

const codes = new Map<number, ChannelRefusal>([
  [discordErrors.unknownChannel, 'channelGone'],
  [discordErrors.missingAccess, 'noAccess'],
  [discordErrors.missingPermission, 'noPermission'],
  [discordErrors.threadArchived, 'threadClosed'],
  [discordErrors.threadLocked, 'threadClosed'],
  [discordErrors.tooManyOldEdits, 'editedTooOften'],
]);

/** For the log. */
export const refusalReasons = {
  channelGone: 'the channel does not exist',
  noAccess: 'the bot may not see the channel',
  noPermission: 'the bot may not send messages with embeds in the channel',
  threadClosed:
    'the thread is archived or locked, and the bot may not reopen it; reopen it, or give the bot Manage Threads',
  token: 'Discord refuses the token',
  editedTooOften: 'Discord wants the messages of the channel to be edited less often',
} as const satisfies Record<ChannelRefusal, string>;

/** What of an error is a refusal that trying again at once would not change; null: none. */
export function channelRefusal(error: unknown): ChannelRefusal | null {
  if (error instanceof RateLimitError) return 'editedTooOften';
  if (httpStatus(error) === 401) return 'token';
  return codes.get(discordCode(error) ?? 0) ?? null;
}

/** Messages older than an hour have limits of edits that Discord does not tell beforehand. */
const limitPauseMs = 300_000;

/** How long a channel is left alone after a refusal. */
export interface ChannelPause {
  ms: number;
  /** By the monotonic clock. */
  until: number;
  /** It is over as soon as the bot's access to the channel is another one; null: that would change nothing. */
  access: string | null;
}

/** @param before the bot's access to the channel (`Gateway.accessOf`) when the refused request was begun */
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

/** Whether a channel is still to be left alone. */
export function isPaused(pause: ChannelPause | null, monotonic: number, access: () => string): boolean {
  if (pause === null || monotonic >= pause.until) return false;
  return pause.access === null || pause.access === access();
}
