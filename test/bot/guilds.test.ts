import { afterEach, describe, expect, it } from 'vitest';
import {
  member,
  startWorld,
  until,
  type World,
  type WorldOptions,
  type DiscordInput,
} from './discord-world.ts';
import { expectAnsweredOnce } from './faults.ts';

/** Each is on a shard of its own, where there are two. */
const [first, second] = [0, 1].map((shard) => ({
  id: String((BigInt(4 + shard) << 22n) + (1n << 60n)),
  name: `Guild ${shard}`,
  channels: [{ id: `110000000000000020${shard}`, name: 'general' }],
})) as [Guild, Guild];
interface Guild {
  id: string;
  name: string;
  channels: [{ id: string; name: string }];
}
const channelOf = (guild: Guild): string => guild.channels[0].id;

const worlds: AsyncDisposable[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

async function start(options: WorldOptions, config: DiscordInput = {}): Promise<World> {
  const world = await startWorld({
    ...options,
    discord: { guilds: [first, second], ...options.discord },
    bot: {
      ...options.bot,
      timing: { staggerMs: 0, reconnectMs: 10, ...options.bot?.timing },
      config: {
        locale: 'en-US',
        guildIds: [],
        guilds: [first, second].map(({ id }) => ({ id })),
        presence: false,
        statusPosts: [],
        ...config,
      },
    },
  });
  worlds.push(world);
  expect(await world.bot.ready).toBe('ready');
  return world;
}

const post = (channelId: string, cron = '0 0 1 1 *') => ({
  statusPosts: [{ channelId, servers: ['northwood-1'], cron }],
});
const twice = {
  statusPosts: [first, second].map((guild) => post(channelOf(guild)).statusPosts[0]!),
};

async function expectAnswersEverywhere({ discord }: World): Promise<void> {
  for (const guild of [first, second]) {
    const asked = { guildId: guild.id, channelId: channelOf(guild), user: member, commandName: 'schedule' };
    expectAnsweredOnce(discord, await discord.invoke(asked));
  }
}
const posts = ({ discord }: World, guild: Guild) =>
  discord.messages(channelOf(guild)).filter(({ interaction }) => interaction === null);

describe('with as many shards as Discord recommends', () => {
  const atOnce = { maxConcurrency: 2 };
  const two = { discord: { shards: 2, ...atOnce } };

  it('answers and posts in the guilds of each, before and after a restart', async () => {
    const world = await start(two, twice);
    expect(world.discord.gateway.shards).toEqual([0, 1]);
    await expectAnswersEverywhere(world);
    await until(() => [first, second].every((guild) => posts(world, guild).length === 1));
    expect(world.bot.gatewayMetrics()).toMatchObject({ isConnected: true, guilds: 2 });
    await world.bot.stop();
    expect(world.discord.gateway.connected).toBe(0);
    world.discord.gateway.recommendShards(1);
    await world.restart();
    await expectAnswersEverywhere(world);
    await world.bot.jobs?.run();
    expect([first, second].map((guild) => posts(world, guild).length)).toEqual([1, 1]);
    expect(world.discord.gateway).toMatchObject({ identifies: 3, resumes: 0, shards: [0] });
  });

  it('is off with one line when Discord takes its token back', async () => {
    const world = await start(two);
    world.discord.gateway.closeAll(4004);
    await until(() => world.discord.gateway.connected === 0);
    await world.bot.stop();
    expect(world.lines.filter(({ level }) => level === 50)).toHaveLength(1);
  });

  it('stops while one of them reconnects', async () => {
    const world = await start(two);
    const { gateway } = world.discord;
    gateway.requestReconnect();
    await until(() => world.lines.some(({ msg }) => msg.includes('lost, reconnecting')));
    await world.bot.stop();
    await until(() => gateway.resumes === 2);
    await until(() => gateway.connected === 0);
  });
});

it('posts in a guild that the bot joins later', async () => {
  const world = await start({ discord: { guilds: [first] } }, post(channelOf(second), '* * * * * *'));
  world.discord.addGuild(second);
  await until(() => posts(world, second).length === 1);
});
