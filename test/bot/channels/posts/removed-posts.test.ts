import { expect, it } from 'vitest';
import { channelId, guildId, startWorld, until, type World } from '../../discord-world.ts';

const otherId = '1100000000000000201';
const threadId = '1100000000000000290';
const guild = {
  id: guildId,
  name: 'Northwood',
  channels: [
    { id: channelId, name: 'general' },
    { id: otherId, name: 'status' },
  ],
};
const shown = (world: World, at: string) => world.discord.messages(at);
const known = async (world: World) => await world.keyv.get('posts');

const configOf = (...channels: readonly string[]) => ({
  guildIds: [],
  presence: false,
  statusPosts: channels.map((at) => ({
    channelId: at,
    cron: '0 0 1 1 *',
    servers: ['northwood-1'],
    chart: 'none' as const,
  })),
});

/** A bot whose config has a post in each of these channels, and one elsewhere. */
async function startPosts(at: string, prepare?: (discord: World['discord']) => void) {
  const timing = { staggerMs: 0, channelWindowMs: 0 };
  const bot = { config: configOf(otherId, at), timing };
  const world = await startWorld({ discord: { guilds: [guild] }, bot, ...(prepare && { prepare }) });
  await until(() => shown(world, at).length === 1 && shown(world, otherId).length === 1);
  return world;
}

it('a post that the config no longer has is deleted at the next start, and comes back with the config', async () => {
  await using world = await startPosts(channelId);
  const [kept] = shown(world, otherId);
  await world.restart({ config: configOf(otherId) });
  await until(() => shown(world, channelId).length === 0);
  expect(shown(world, otherId).map(({ id }) => id)).toEqual([kept?.id]);
  await expect.poll(() => known(world)).toEqual([`status-post:${otherId}:0`]);
  await world.restart({ config: configOf(otherId, channelId) });
  await until(() => shown(world, channelId).length === 1);
});

it('is deleted in a thread that is archived, too', async () => {
  await using world = await startPosts(threadId, (discord) =>
    discord.addThread(channelId, { id: threadId, name: 'status' }),
  );
  world.discord.setThread(threadId, { archived: true });
  await world.restart({ config: configOf(otherId) });
  await until(() => shown(world, threadId).length === 0);
});

it('is tried again at the next start while Discord is away', async () => {
  await using world = await startPosts(channelId);
  const end = world.discord.fail({ method: 'DELETE' }, { status: 503, body: {} }, Infinity);
  await world.restart({ config: configOf(otherId) });
  await until(() => world.lines.some(({ msg }) => msg.includes('the next start tries again')));
  end();
  expect(shown(world, channelId)).toHaveLength(1);
  await world.restart({ config: configOf(otherId) });
  await until(() => shown(world, channelId).length === 0);
});

it.each([
  ['its channel is gone', (world: World) => world.discord.deleteChannel(channelId)],
  ['the bot may not see its channel any more', (world: World) => world.discord.denyBot(channelId, 1n << 10n)],
])('is forgotten where %s', async (_what, change) => {
  await using world = await startPosts(channelId);
  change(world);
  await world.restart({ config: configOf(otherId) });
  await expect.poll(() => known(world)).toEqual([`status-post:${otherId}:0`]);
  expect(await world.keyv.get(`status-post:${channelId}:0`)).toBeUndefined();
});
