import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import type { DiscordConfig } from '../config/schema.ts';
import { type ChannelEntry, channelListNames } from '../config/schema/channel-jobs.ts';
import { count } from '../process/count.ts';

interface UnknownServer {
  /** Where the config names it: `discord.statusPosts[0].servers[1]`. */
  key: string;
  message: string;
}

/** The server ids in a config's posts, alerts and feeds that a service does not have. */
export function unknownServers(discord: DiscordConfig, servers: readonly Server[]): UnknownServer[] {
  const known = servers.map(({ id }) => id);
  const existing = known.length === 0 ? 'it has no active server' : `it has ${known.join(', ')}`;
  const named = channelListNames.flatMap((list) =>
    discord[list].flatMap(({ servers: ids = [] }: ChannelEntry, position) =>
      ids.map((id, index) => ({ id, key: `discord.${list}[${position}].servers[${index}]` })),
    ),
  );
  return named
    .filter(({ id }) => !known.includes(id))
    .map(({ id, key }) => ({ key, message: `the service has no server ${JSON.stringify(id)}: ${existing}` }));
}

/** Reads the servers of a remote service once, and logs the server ids of the bot's config that it does not have. */
export async function checkServerIds(
  client: Client,
  discord: DiscordConfig,
  { url, log }: { url: string; log: Logger },
): Promise<void> {
  // The client logs that the service is away.
  const answer = await client.listServers().catch(() => null);
  if (answer === null) return;
  const { servers } = answer.data;
  for (const { key, message } of unknownServers(discord, servers)) log.error(`${key}: ${message}`);
  log.info(`the bot reads ${count(servers.length, 'server')} from ${url}`);
}
