import { once } from 'node:events';
import { Client, Events, GatewayIntentBits, REST, Routes } from 'discord.js';
import type { RESTPostAPIApplicationCommandsJSONBody } from 'discord.js';
import { startLocalDiscord } from '../src/index.ts';
import type { LocalDiscord, LocalDiscordOptions } from '../src/index.ts';

export const token = 'local-test-token';
export const guildId = '1100000000000000100';
export const channelId = '1100000000000000200';
export const member = { id: '1100000000000000301', username: 'mira', locale: 'de' };

export interface World extends AsyncDisposable {
  discord: LocalDiscord;
  client: Client<true>;
  rest: REST;
}

/** A local Discord with the real client logged in, and commands registered in the guild. */
export async function startWorld(
  commands: readonly RESTPostAPIApplicationCommandsJSONBody[] = [],
  options: Partial<LocalDiscordOptions> = {},
): Promise<World> {
  const discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
    ...options,
  });
  const rest = new REST({ api: discord.apiUrl, version: '10' }).setToken(token);
  if (commands.length > 0) {
    await rest.put(Routes.applicationGuildCommands(discord.applicationId, guildId), { body: commands });
  }
  const client = newClient(discord);
  const ready = once(client, Events.ClientReady);
  await client.login(token);
  await ready;
  return {
    discord,
    client: client as Client<true>,
    rest,
    async [Symbol.asyncDispose]() {
      await client.destroy();
      await discord.close();
    },
  };
}

export function newClient(discord: LocalDiscord, intents = [GatewayIntentBits.Guilds]): Client {
  return new Client({
    intents,
    rest: { api: discord.apiUrl, version: '10' },
    // The client's own throttle lets five seconds pass between two IDENTIFYs.
    ws: { buildIdentifyThrottler: () => Promise.resolve({ waitForIdentify: () => Promise.resolve() }) },
  });
}
