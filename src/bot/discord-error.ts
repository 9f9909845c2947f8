import * as rest from '@discordjs/rest';
import * as discord from 'discord.js';

/**
 * discord.js loads the CommonJS build of @discordjs/rest, this module the ESM build. Their error classes differ:
 * interactions throw those of one, our own requests those of the other.
 */
const isApiError = (error: unknown): error is rest.DiscordAPIError =>
  error instanceof rest.DiscordAPIError || error instanceof discord.DiscordAPIError;
const isHttpError = (error: unknown): error is rest.HTTPError =>
  error instanceof rest.HTTPError || error instanceof discord.HTTPError;

/** Discord's own code of an error; null when the error is not Discord's. */
export function discordCode(error: unknown): number | null {
  return isApiError(error) && typeof error.code === 'number' ? error.code : null;
}

/** HTTP status of an error that Discord's REST answered; null for all others. */
export function httpStatus(error: unknown): number | null {
  return isApiError(error) || isHttpError(error) ? error.status : null;
}
