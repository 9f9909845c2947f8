import { RateLimitError } from '@discordjs/rest';
import { RESTJSONErrorCodes as ErrorCodes } from 'discord.js';
import type { PostFailure } from '../../embeds/placements.ts';
import { discordCode, httpStatus } from '../discord-error.ts';

/** Why Discord currently refuses messages in a channel. */
export type ChannelRefusal = Exclude<PostFailure, 'other' | 'otherProject'>;

const codes = new Map<number, ChannelRefusal>([
  [ErrorCodes.UnknownChannel, 'channelGone'],
  [ErrorCodes.MissingAccess, 'noAccess'],
  [ErrorCodes.MissingPermissions, 'noPermission'],
  [ErrorCodes.InvalidActionOnArchivedThread, 'threadClosed'],
  [ErrorCodes.ThreadLocked, 'threadClosed'],
  [ErrorCodes.CannotSendMessagesInNonTextChannel, 'notText'],
  [ErrorCodes.CannotExecuteActionOnThisChannelType, 'notText'],
  [ErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached, 'editedTooOften'],
]);

/** The bot may not send embeds in the channel. Discord would take the message all the same, and drop them. */
export class EmbedsForbiddenError extends Error {
  override readonly name = 'EmbedsForbiddenError';
}

/** The refusal that an error stands for; null: the error is not a refusal, and a retry may succeed. */
export function channelRefusal(error: unknown): ChannelRefusal | null {
  // A new message comes as soon as the limit is over.
  if (error instanceof RateLimitError)
    return error.method === 'PATCH' && !error.global ? 'editedTooOften' : null;
  if (error instanceof EmbedsForbiddenError) return 'noPermission';
  if (httpStatus(error) === 401) return 'token';
  return codes.get(discordCode(error) ?? 0) ?? null;
}

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

/**
 * What became of a message whose request failed. `notNow`: Discord does not have it, and may take it later. `refused`: Discord
 * does not have it, and never takes it, at least while it refuses the channel (`channelRefusal`). `unknown`: it may have arrived.
 */
export function failureOf(error: unknown): 'notNow' | 'refused' | 'unknown' {
  if (error instanceof EmbedsForbiddenError || neverArrived.has(codeOf(error))) return 'notNow';
  const status = httpStatus(error);
  // Discord answers 401 for a moment when a token is reset, and then closes the gateway.
  if (error instanceof RateLimitError || status === 429 || status === 401) return 'notNow';
  // Only a response with Discord's own body says that the message was not accepted.
  const isAnswer = status !== null && status >= 400 && status < 500;
  return isAnswer && discordCode(error) !== null ? 'refused' : 'unknown';
}
