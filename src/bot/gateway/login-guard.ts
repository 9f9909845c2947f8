import { setTimeout as delay } from 'node:timers/promises';
import type { REST } from '@discordjs/rest';
import { Routes, type APIGatewayBotInfo } from 'discord.js';
import type { Logger } from 'pino';
import { notOfDiscord } from '../loggable.ts';

/**
 * Waits until the bot may log in. Discord counts the logins (IDENTIFY) of a day, and resets the token of a bot that needs more.
 * Once half of them are used up, the others are spread over the rest of the day, so that a crash loop does not use them all.
 * @throws when aborted, and where Discord cannot be asked
 */
export async function waitForLogin(rest: REST, log: Logger, signal: AbortSignal): Promise<void> {
  const info = (await rest.get(Routes.gatewayBot(), { signal })) as Partial<APIGatewayBotInfo>;
  const { shards, session_start_limit: limit } = info;
  if (shards === undefined || limit === undefined) throw new Error(notOfDiscord);
  const { total, remaining, reset_after: resetMs } = limit;
  if (remaining > total / 2) return;
  const waitMs = Math.min((resetMs * shards) / Math.max(remaining, 1), resetMs);
  const time = waitMs < 120_000 ? `${Math.ceil(waitMs / 1_000)} s` : `${Math.ceil(waitMs / 60_000)} min`;
  log.warn(
    `the bot waits ${time} before it logs in to Discord, which allows ${total} logins a day and has ${remaining} left: ` +
      'it resets the token of a bot that logs in more often. The service keeps running. After a crash, find its cause in the log',
  );
  await delay(waitMs, undefined, { signal });
}
