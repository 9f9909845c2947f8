import type { Invocation } from 'local-discord';
import { configSchema, type Config, type ConfigInput } from '../../src/config/schema.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';

export const token = 'local-bot-token';
const guildId = '1100000000000000001';
const otherGuildId = '1100000000000000002';
const channelId = '1100000000000000101';
const otherChannelId = '1100000000000000102';
export const home = { guildId, channelId };
export const elsewhere = { guildId: otherGuildId, channelId: otherChannelId };
export const guilds = [
  { id: guildId, name: 'Home', channels: [{ id: channelId, name: 'general' }] },
  { id: otherGuildId, name: 'Other', channels: [{ id: otherChannelId, name: 'general' }] },
];
const manageGuild = 1n << 5n;
export const manager = { id: '1100000000000000303', username: 'ines', permissions: manageGuild };
export const member = { id: '1100000000000000301', username: 'mira' };

export const own = { id: 'northwood-1', name: 'Northwood | Chernarus', host: '127.0.0.1', port: 2302 };

export function config(discordSection: ConfigInput['discord'] = {}, servers: object[] = [own]): Config {
  return configSchema.parse({
    http: { port: 0 },
    live: { pollSeconds: 1 },
    projects: [{ slug: 'northwood', name: 'Northwood', servers }],
    discord: { guilds: [{ id: guildId }], allowPrivateServers: true, ...discordSection },
  });
}

export const textOf = ({ message }: Invocation): string =>
  (message?.embeds ?? []).map(({ title, description }) => `${title}\n${description}`).join('\n');

/** The ids of `/v1/servers`, as an application sees them. */
export async function servedServers(url: string, dataFolder: string): Promise<string[]> {
  const credentials = { id: newApplicationId(), secret: newSecret() };
  const writer = await openWriter(storeFile(dataFolder), { busyTimeoutMs: 5_000 });
  const application = {
    id: credentials.id,
    projectSlug: 'northwood',
    name: 'test',
    scopes: ['servers:read'] as const,
  };
  await createApplication(
    writer.db,
    { ...application, secretHash: hashSecret(credentials.secret) },
    Date.now(),
  );
  await writer.close();
  const headers = { 'User-Agent': credentials.id, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ application_id: credentials.id, secret: credentials.secret });
  const registered = await fetch(`${url}/v1/auth/register`, { method: 'POST', headers, body });
  const { token: bearer } = (await registered.json()) as { token: string };
  const answer = await fetch(`${url}/v1/servers`, {
    headers: { ...headers, Authorization: `Bearer ${bearer}` },
  });
  const { servers } = (await answer.json()) as { servers: { id: string }[] };
  return servers.map(({ id }) => id);
}
