import { describe, expect, it } from 'vitest';
import { contractClient } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, member, startWorld, until, type World } from './discord-world.ts';

const otherChannelId = '1100000000000000201';
const channels = [channelId, otherChannelId];

/** Posts in two channels, under Discord's limits of a channel; everything runs twenty times as fast as it does for real. */
async function startPosts(perChannel: number) {
  const server = { players: 30 };
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const posts = channels.flatMap((id) => Array.from({ length: perChannel }, () => ({ channelId: id })));
  const statusPosts = posts.map((post) => ({ ...post, cron: '0 0 1 1 *', servers: ['northwood-1'] }));
  const listServers = () => ({ servers: [data.server({ players: server.players })] });
  const world = await startWorld({
    client: contractClient({ listServers }, now),
    discord: {
      guilds: [
        { id: guildId, name: 'Northwood', channels: channels.map((id) => ({ id, name: `posts-${id}` })) },
      ],
      messageLimits: { perChannel: { count: 5, windowMs: 250 } },
    },
    bot: {
      now,
      monotonic: now,
      config: { guildIds: [], statusPosts, presence: false },
      timing: { staggerMs: 1, reconnectMs: 10 },
    },
  });
  await world.bot.ready;
  const all = () => channels.flatMap((id) => world.discord.messages(id));
  await until(() => all().length === posts.length);
  await world.bot.jobs?.run();
  return { world, server, all, advance: (ms: number) => void (aheadMs += ms) };
}

const showing = (all: ReturnType<World['discord']['messages']>, players: number) =>
  all.filter((message) => JSON.stringify(message.embeds).includes(`${players} / 60`)).length;

describe('posts', () => {
  it('catch up after half a minute without Discord: each once, none twice, none too soon', async () => {
    const { world, server, all } = await startPosts(4);
    await using _ = world;
    const { discord, bot } = world;
    const ids = all().map(({ id }) => id);

    const end = discord.fail(() => true, { status: 503 }, Infinity);
    discord.gateway.setAvailable(false);
    discord.gateway.dropAll();
    for (let run = 0; run < 6; run += 1) {
      server.players += 1;
      await bot.jobs?.run();
    }
    end();
    discord.gateway.setAvailable(true);
    const seen = discord.requests.length;
    server.players = 50;
    await bot.jobs?.run();
    await bot.jobs?.run();

    const caughtUp = discord.requests.slice(seen).filter(({ method }) => method !== 'GET');
    expect(caughtUp.map(({ method, status }) => `${method} ${status}`)).toEqual(ids.map(() => 'PATCH 200'));
    expect(all().map(({ id }) => id)).toEqual(ids);
    expect(showing(all(), 50)).toBe(8);
    expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
    const told = (text: string) => world.lines.filter(({ msg }) => msg.includes(text)).length;
    expect([told('could not write a message'), told('works again')]).toEqual([8, 8]);
  });

  it.each([
    ['the channel is hidden from the bot (50001)', 1n << 10n],
    ['the bot may not write (50013)', 1n << 11n],
  ])('rest when %s, are explained once, and come back', async (_name, denied) => {
    const { world, server, all, advance } = await startPosts(1);
    await using _ = world;
    const { discord, bot } = world;
    discord.denyBot(channelId, denied);
    // Without the right to write, Discord still takes edits.
    if (denied === 1n << 11n) discord.deleteMessage(channelId, discord.messages(channelId)[0]?.id ?? '');
    // Its answer comes behind what the gateway says of the channel.
    await discord.invoke({ guildId, channelId, user: member, commandName: 'schedule' });
    // A deleted message is posted anew after a pause.
    advance(10_000);
    server.players = 41;
    await bot.jobs?.run();
    const refused = discord.requests.filter(({ status }) => status === 403).length;
    server.players = 42;
    await bot.jobs?.run();
    await bot.jobs?.run();
    expect(discord.requests.filter(({ status }) => status === 403)).toHaveLength(refused);
    expect(world.lines.filter(({ level }) => level === 50)).toHaveLength(1);
    expect(showing(all(), 42)).toBe(1);

    discord.denyBot(channelId, 0n);
    advance(3_600_000);
    await bot.jobs?.run();
    expect(showing(all(), 42)).toBe(2);
  });
});
