import { RateLimitError } from '@discordjs/rest';
import type { PostFailure } from '../commands/placements.ts';
import { discordCode, discordErrors, httpStatus } from './discord-error.ts';

/** Why Discord will not have a message in a channel, for now. */
export type ChannelRefusal = Exclude<PostFailure, 'other'>;

const codes = new Map<number, ChannelRefusal>([
  [discordErrors.unknownChannel, 'channelGone'],
  [discordErrors.missingAccess, 'noAccess'],
  [discordErrors.missingPermission, 'noPermission'],
  [discordErrors.tooManyOldEdits, 'editedTooOften'],
]);

/** For the log. */
export const refusalReasons = {
  channelGone: 'the channel does not exist',
  noAccess: 'the bot may not see the channel',
  noPermission: 'the bot may not send messages with embeds in the channel',
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

/** How long to leave a channel alone after a refusal; `retryMs` where nothing but its owner changes that. */
export function pauseAfter(refusal: ChannelRefusal, error: unknown, retryMs: number): number {
  if (refusal !== 'editedTooOften') return retryMs;
  return error instanceof RateLimitError ? Math.max(error.retryAfter, error.timeToReset) : limitPauseMs;
}
