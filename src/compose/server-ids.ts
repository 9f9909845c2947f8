import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import type { DiscordConfig } from '../config/schema.ts';
import { type ChannelEntry, channelListNames } from '../config/schema/channel-jobs.ts';
import { backOffMs } from '../process/back-off.ts';
import { count } from '../process/count.ts';

/** A server id in the config that the service does not have. */
interface UnknownServer {
  /** `discord.statusPosts[0].servers[1]`. */
  key: string;
  message: string;
}

/** Compares the server ids of posts and alerts with the servers of a service. */
export function unknownServers(discord: DiscordConfig, servers: readonly Server[]): UnknownServer[] {
  const known = servers.map(({ id }) => id);
  const existing = known.length === 0 ? 'it has no active server' : `it has ${known.join(', ')}`;
  return channelListNames.flatMap((list) =>
    discord[list].flatMap(({ servers: ids = [] }: ChannelEntry, position) =>
      ids.flatMap((id, index) =>
        known.includes(id)
          ? []
          : [
              {
                key: `discord.${list}[${position}].servers[${index}]`,
                message: `the service has no server ${JSON.stringify(id)}: ${existing}`,
              },
            ],
      ),
    ),
  );
}

const firstRetryMs = 5_000;
const longestRetryMs = 5 * 60_000;

/** Checks the server ids of a config as soon as the service answers, and logs unknown ones. */
export async function checkServerIds(
  client: Client,
  discord: DiscordConfig,
  { url, log, signal }: { url: string; log: Logger; signal: AbortSignal },
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const { servers } = (await client.listServers()).data;
      for (const { key, message } of unknownServers(discord, servers)) log.error(`${key}: ${message}`);
      log.info(`the bot reads ${count(servers.length, 'server')} from ${url}`);
      return;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const waitMs = backOffMs(failures, firstRetryMs, longestRetryMs);
      log.warn({ reason }, `cannot read the servers from ${url}; the next try is in ${waitMs / 1000} s`);
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
