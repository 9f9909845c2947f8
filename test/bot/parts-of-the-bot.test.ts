import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { startBot, type BotConfig } from '../../src/bot/bot.ts';
import { leasesByName, type LeasesByName } from '../../src/process/leases-by-name.ts';
import { soleProcess } from '../../src/process/leases.ts';
import { sameProject } from '../../src/bot/shown-project.ts';
import { contractClient } from '../commands/contract-client.ts';
import { startWorld, token, until, type World, type WorldOptions } from './discord-world.ts';
import { aDeath, createDeaths } from './channels/feeds/feed-world.ts';
import { guilds } from './shard-world.ts';

/** Of Discord's five seconds. */
const identifyWindowMs = 500;
const timing = { loginGapMs: 1_000, takeEveryMs: 10, staggerMs: 0, channelWindowMs: 0, sessionLastsMs: 10 };
const guildOf = (shard: number) => guilds[shard]!;
const channelOf = (shard: number): string => guildOf(shard).channels[0]!.id;
const threadId = '1100000000000000777';

/** Another process holds these shards. */
function leasesWithout(...shards: number[]): LeasesByName {
  const own = leasesByName(soleProcess());
  const others = new Set(shards.map((shard) => `shard:${shard}`));
  return { ...own, take: async (name) => !others.has(name) && (await own.take(name)) };
}

const worlds: AsyncDisposable[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

async function start(options: WorldOptions, config: Partial<BotConfig>): Promise<World> {
  const world = await startWorld({
    ...options,
    discord: {
      guilds: guilds.slice(0, 2),
      shards: 2,
      maxConcurrency: 2,
      identifyWindowMs,
      ...options.discord,
    },
    bot: {
      ...options.bot,
      timing: { ...timing, ...options.bot?.timing },
      config: {
        locale: 'en-US',
        guildIds: [],
        guilds: guilds.map(({ id }) => ({ id })),
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
const connected = (world: World): number =>
  world.bot.shardMetrics().filter(({ state }) => state === 'connected').length;
const placement = (shard: number) => ({
  id: `aaaaaaaaaaa${shard}`,
  guildId: guildOf(shard).id,
  channelId: channelOf(shard),
  content: { kind: 'status', servers: [], players: false },
});

it('keeps what members placed on a shard that connects while placements are read', async () => {
  const keyv = new Keyv();
  await keyv.set('placements', [placement(0), placement(1)]);
  const read = keyv.get.bind(keyv);
  let isStarted = () => false;
  let reads = 0;
  keyv.get = (async (key: string) => {
    if (key === 'placements' && (reads += 1) === 1) {
      await until(() => isStarted());
    }
    return await read(key);
  }) as typeof keyv.get;
  const own = leasesByName(soleProcess());
  const take = async (name: string) => (name !== 'shard:1' || reads > 0) && (await own.take(name));
  const settings = { bot: { keyv, leases: { ...own, take } } };
  const world = await startWorldSoon(settings);
  isStarted = () => connected(world) === 2;
  await until(() => world.discord.messages(channelOf(1)).length === 1);
  expect(await read('placements')).toHaveLength(2);
});

/** Like `start`, which waits until the bot is ready. */
async function startWorldSoon({ bot }: WorldOptions): Promise<World> {
  const world = await startWorld({
    discord: { guilds: guilds.slice(0, 2), shards: 2, maxConcurrency: 2, identifyWindowMs },
    bot: {
      timing,
      config: {
        locale: 'en-US',
        guildIds: [],
        guilds: guilds.map(({ id }) => ({ id })),
        presence: false,
        statusPosts: [],
      },
      ...bot,
    },
  });
  worlds.push(world);
  return world;
}

const post = (channelId: string) => ({ statusPosts: [{ channelId, servers: [], cron: '* * * * * *' }] });

// discord.js waits 15 s for the guild before it calls the shard ready.
it('posts in a guild that was in an outage before, where another process holds the first shard', async () => {
  const world = await start(
    {
      prepare: (discord) => discord.setGuildAvailable(guildOf(1).id, false),
      bot: { leases: leasesWithout(0) },
    },
    post(channelOf(1)),
  );
  await until(() => connected(world) === 1);
  world.discord.setGuildAvailable(guildOf(1).id, true);
  await until(() => world.discord.messages(channelOf(1)).length === 1);
});

describe.each([
  ['all shards', []],
  ['the second shard', [0]],
])('a process that holds %s', (_, others) => {
  it('posts in a guild that the bot joins later', async () => {
    const world = await start(
      { discord: { guilds: guilds.slice(0, 1) }, bot: { leases: leasesWithout(...others) } },
      post(channelOf(1)),
    );
    await until(() => connected(world) === 2 - others.length);
    world.discord.addGuild(guildOf(1));
    await until(() => world.discord.messages(channelOf(1)).length === 1);
  });

  it('posts in a thread that was archived before', async () => {
    const world = await start(
      {
        prepare(discord) {
          discord.addThread(channelOf(1), { id: threadId, name: 'status' });
          discord.setThread(threadId, { archived: true });
        },
        bot: { leases: leasesWithout(...others) },
      },
      post(threadId),
    );
    await until(() => connected(world) === 2 - others.length);
    world.discord.setThread(threadId, { archived: false });
    await until(() => world.discord.messages(threadId).length === 1);
  });

  it('edits a message that names a hidden player, although twenty others are in a channel that is gone', async () => {
    const deaths = createDeaths();
    deaths.all.push(aDeath);
    const world = await start(
      { bot: { leases: leasesWithout(...others), ports: { deaths }, timing: { feedPollMs: 20 } } },
      {},
    );
    await until(() => connected(world) === 2 - others.length);
    const gone = '1100000000000000999';
    const posted = async (channelId: string, messageId: string) =>
      await deaths.posted({ feed: `feed:${channelId}:0`, channelId, messageId, deaths: [1] }, 0);
    for (let i = 10; i < 30; i += 1) await posted(gone, `11000000000000000${i}`);
    await posted(channelOf(1), '1100000000000009999');
    deaths.rename('Anna', null);
    await until(() => world.discord.requests.some(({ path }) => path.endsWith('/1100000000000009999')));
    while ((await deaths.outdated(null)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

it('says which channel of the config Discord does not show, though other processes hold other shards', async () => {
  const gone = '1100000000000000999';
  const world = await start({ bot: { leases: leasesWithout(1) } }, post(gone));
  await until(() => world.lines.some(({ msg }) => msg.includes(`does not show the bot the channel ${gone}`)));
});

describe('a process that holds all shards of guilds with different projects', () => {
  const client = contractClient({}, Date.now);
  const shown = { clientAs: () => client };
  const projects = {
    of: (guildId: string | null) => (guildId === null ? null : shown),
    areSeveral: () => true,
  };

  it('posts in a thread that is archived', async () => {
    const world = await start(
      {
        prepare(discord) {
          discord.addThread(channelOf(1), { id: threadId, name: 'status' });
          discord.setThread(threadId, { archived: true });
        },
        bot: { projects },
      },
      // It does not wait for its next minute.
      { statusPosts: [{ channelId: threadId, servers: [], cron: '0 0 1 1 *' }] },
    );
    await until(() => world.discord.messages(threadId).length === 1);
  });

  it('says which channel of the config Discord does not show', async () => {
    const gone = '1100000000000000999';
    const world = await start({ bot: { projects } }, post(gone));
    await until(() =>
      world.lines.some(({ msg }) => msg.includes(`does not show the bot the channel ${gone}`)),
    );
  });
});

it('registers commands in a guild of the config that it joins, although another process registers the rest', async () => {
  const guildIds = [guildOf(0).id, guildOf(1).id];
  const world = await start(
    { discord: { guilds: guilds.slice(0, 1) }, bot: { leases: leasesWithout(1) } },
    { guildIds },
  );
  const other = startBot({
    token,
    projects: sameProject(() => contractClient({}, Date.now)),
    config: { locale: 'en-US', guildIds, presence: false, statusPosts: [] },
    keyv: world.keyv,
    leases: leasesWithout(0),
    log: pino({ level: 'silent' }),
    apiUrl: world.discord.apiUrl,
    timing,
  });
  worlds.push({ [Symbol.asyncDispose]: async () => await other.stop() });
  await other.ready;
  world.discord.addGuild(guildOf(1));
  await until(() => world.discord.commands(guildOf(1).id).length > 0);
});
