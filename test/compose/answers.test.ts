import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { until } from '../bot/discord-world.ts';
import { componentsOf } from '../commands/components.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channelId = '1100000000000000101';
const user = { id: '1100000000000000301', username: 'mira' };

let folder: string;
let discord: LocalDiscord;
let game: SimulatedGameServer;
let outpost: Outpost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-answers-'));
  game = await startSimulatedGameServer({ name: 'N', map: 'enoch', maxPlayers: 60, players: 12 });
  game.queue = 2;
  discord = await startLocalDiscord({
    token,
    acknowledgeWithinMs: 60_000,
    guilds: [{ id: guildId, name: 'G', channels: [{ id: channelId, name: 'general' }] }],
  });
  const server = { id: 'northwood-1', name: 'Northwood | Livonia', host: '127.0.0.1', port: 2302 };
  const config = configSchema.parse({
    http: { port: 0, publicUrl: 'https://play.example.org' },
    projects: [{ slug: 'northwood', name: 'Northwood', servers: [{ ...server, queryPort: game.port }] }],
    discord: {},
  });
  outpost = await compose({
    config,
    environment: {
      configFile: '',
      dataFolder: folder,
      discordToken: token,
      discordApiUrl: discord.apiUrl,
    },
    log: pino({ level: 'silent' }),
  });
  await until(() => discord.commands().length > 0);
  await outpost.poll();
});
afterAll(async () => {
  await outpost.close();
  await discord.close();
  await game.close();
  await rm(folder, { recursive: true, force: true });
});

const use = async (commandName: string, options: Record<string, string> = {}) => {
  const { message } = await discord.invoke({ guildId, channelId, user, commandName, options });
  return message!;
};

describe('the whole of it, with a game server that answers', () => {
  it('shows the queue in /status, and links into the game', async () => {
    const status = async () => await use('status', { server: 'northwood-1' });
    // An answer from before the poll is kept for seconds.
    await expect
      .poll(async () => (await status()).embeds[0]?.description, { timeout: 10_000 })
      .toContain('## 12 / 60 players');
    const message = await status();
    const [embed] = message.embeds;
    expect(embed?.description).toContain('2 in queue');
    const link = componentsOf(message as never).find(({ kind }) => kind === 'link');
    expect(link?.customId).toBe('https://play.example.org/join/northwood-1');
    const { pathname } = new URL(link!.customId);
    const joined = await fetch(new URL(pathname, outpost.url), { redirect: 'manual' });
    expect(joined.headers.get('location')).toBe(`steam://connect/127.0.0.1:${game.port}`);
  });

  it('names the community on the page of the API', async () => {
    const page = await (await fetch(`${outpost.url}/docs`)).text();
    expect(page).toContain('<title>Northwood · Public API v1</title>');
  });

  it('shows in /online how long players without names have been on', async () => {
    const [embed] = (await use('online', { server: 'northwood-1' })).embeds;
    expect(embed?.description).toContain('but not their names');
    expect(embed?.description).toMatch(/Time online: .+ to .+, typically .+\./);
  });
});
