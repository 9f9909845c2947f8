import * as rest from '@discordjs/rest';
import * as discord from 'discord.js';
import { RESTJSONErrorCodes } from 'discord.js';

/**
 * discord.js loads the CommonJS build of @discordjs/rest, this module the ESM build. Their error classes differ:
 * interactions throw those of one, our own requests those of the other.
 */
const isApiError = (error: unknown): error is rest.DiscordAPIError =>
  error instanceof rest.DiscordAPIError || error instanceof discord.DiscordAPIError;
const isHttpError = (error: unknown): error is rest.HTTPError =>
  error instanceof rest.HTTPError || error instanceof discord.HTTPError;

export const discordErrors = {
  unknownChannel: RESTJSONErrorCodes.UnknownChannel,
  unknownMember: RESTJSONErrorCodes.UnknownMember,
  unknownUser: RESTJSONErrorCodes.UnknownUser,
  unknownMessage: RESTJSONErrorCodes.UnknownMessage,
  /** The message belongs to another application. */
  otherAuthor: RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
  missingAccess: RESTJSONErrorCodes.MissingAccess,
  missingPermission: RESTJSONErrorCodes.MissingPermissions,
  /** Nothing can be edited or deleted in an archived thread. */
  threadArchived: RESTJSONErrorCodes.InvalidActionOnArchivedThread,
  threadLocked: RESTJSONErrorCodes.ThreadLocked,
  notTextChannel: RESTJSONErrorCodes.CannotSendMessagesInNonTextChannel,
  wrongChannelType: RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType,
  /** Messages older than an hour have an edit limit of their own. */
  tooManyOldEdits: RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
  /** 200 new commands a day. */
  tooManyCreations: RESTJSONErrorCodes.MaximumDailyApplicationCommandCreatesReached,
  /** The interaction is older than 3 s, or than 15 minutes when it was deferred. */
  unknownInteraction: RESTJSONErrorCodes.UnknownInteraction,
  alreadyAcknowledged: RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
} as const;

/** Discord's own code of an error; null when the error is not Discord's. */
export function discordCode(error: unknown): number | null {
  return isApiError(error) && typeof error.code === 'number' ? error.code : null;
}

/** HTTP status of an error that Discord's REST answered; null for all others. */
export function httpStatus(error: unknown): number | null {
  return isApiError(error) || isHttpError(error) ? error.status : null;
}
