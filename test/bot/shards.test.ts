import { afterEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { startBot, type Bot } from '../../src/bot/bot.ts';
import { leasesByName, type LeasesByName } from '../../src/process/leases-by-name.ts';
import { soleProcess } from '../../src/process/leases.ts';
import { sameProject } from '../../src/bot/shown-project.ts';
import { createDeaths } from './channels/feeds/feed-world.ts';
import { contractClient } from '../commands/contract-client.ts';
import { startWorld, token, until, type World, type WorldOptions } from './discord-world.ts';
import { askIn, expectOneAnswer, guilds } from './shard-world.ts';

let world: World;
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Of Discord's five seconds, so that a bot that logs in twice waits for one. */
const identifyWindowMs = 500;
const timing = { loginGapMs: 1_000, takeEveryMs: 10, staggerMs: 0, channelWindowMs: 0, sessionLastsMs: 10 };

async function start(shards: number, options: WorldOptions = {}): Promise<void> {
  world = await startWorld({
    ...options,
    discord: { guilds, shards, maxConcurrency: shards, identifyWindowMs, ...options.discord },
    bot: { timing, ...options.bot },
  });
  expect(await world.bot.ready).toBe('ready');
  await until(() => world.discord.gateway.shards.length === shards);
}

async function expectAnswersEverywhere(): Promise<void> {
  for (const answer of await Promise.all(guilds.map(askIn(world.discord))))
    expectOneAnswer(world.discord, answer);
}
const logged = (text: string): boolean => world.lines.some(({ msg }) => msg.includes(text));

it('has as many shards as Discord recommends, before and after a restart', async () => {
  await start(4);
  await expectAnswersEverywhere();
  expect(world.bot.shardMetrics().map(({ shard, guilds: count }) => [shard, count])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  await world.bot.stop();
  expect(world.discord.gateway.connected).toBe(0);
  await world.restart();
  await until(() => world.discord.gateway.shards.length === 4);
  await expectAnswersEverywhere();
  expect(world.discord.gateway).toMatchObject({ identifies: 8, logins: 8, resumes: 0, tooSoon: 0 });
});

it('has no home guild by itself: a process may know one guild of many', async () => {
  await start(2, { discord: { guilds: guilds.slice(0, 1) } });
  await until(() => logged('is not a home guild'));
});

it('stops while the store does not say whether it may log in', async () => {
  let isAsked = false;
  const confirm = async (): Promise<boolean> => {
    isAsked = true;
    throw new Error('the store is away');
  };
  world = await startWorld({
    discord: { guilds },
    bot: { timing, leases: { ...leasesByName(soleProcess()), confirm } },
  });
  await until(() => isAsked);
  await world.bot.stop();
  await until(() => world.discord.gateway.connected === 0);
  expect(world.discord.gateway.identifies).toBe(0);
});

describe('the number of shards', () => {
  it('stays until Discord recommends more than twice as many', async () => {
    await start(1, { discord: { maxConcurrency: 16 } });
    world.discord.gateway.recommendShards(2);
    await world.restart();
    expect(world.discord.gateway).toMatchObject({ identifies: 2, shards: [0] });
    world.discord.gateway.recommendShards(3);
    await world.restart();
    await until(() => world.discord.gateway.shards.length === 3);
    await expectAnswersEverywhere();
    expect(world.discord.gateway.identifies).toBe(5);
  });

  it('grows when Discord refuses a shard for its many guilds', async () => {
    await start(1, {
      prepare: (discord) => discord.gateway.refuseIdentify(4011),
      discord: { maxConcurrency: 16 },
    }).catch(() => undefined);
    await until(() => world.discord.gateway.shards.length === 2);
    await expectAnswersEverywhere();
    expect(logged('the bot has 2 shards from now on instead of 1')).toBe(true);
  });
});

/** Leases of two processes, in memory. What the first process gives away, the second one takes. */
class LeaseTable {
  readonly #holders = new Map<string, string>();
  readonly #moved = new Set<string>();
  readonly #listeners = new Set<(name: string) => Promise<void> | void>();

  of(owner: 'first' | 'second'): LeasesByName {
    const mayHave = (name: string): boolean =>
      !name.startsWith('shard:') || this.#moved.has(name) === (owner === 'second');
    return {
      take: async (name) => {
        if (this.#holders.has(name) || !mayHave(name)) return false;
        this.#holders.set(name, owner);
        return true;
      },
      release: async (name) => {
        if (this.#holders.get(name) === owner) this.#holders.delete(name);
      },
      held: (name) => this.#holders.get(name) === owner && mayHave(name),
      confirm: async (name) => this.#holders.get(name) === owner,
      fences: () => [],
      onLost: (listener) => {
        if (owner === 'first') this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  async move(name: string): Promise<void> {
    this.#moved.add(name);
    await Promise.all([...this.#listeners].map(async (listener) => await listener(name)));
  }
}

const feedIn = (channelId: string) => ({
  channelId,
  servers: ['northwood-1'],
  show: [],
  delaySeconds: 0,
  positions: false,
  maxAgeMinutes: 10,
});

it('logs a shard in where it moves, whose post stays one; commands are registered once', async () => {
  const table = new LeaseTable();
  const [guild] = guilds;
  const channelId = guild?.channels[0]?.id ?? '';
  const config = {
    locale: 'en-US',
    guildIds: [],
    guilds: [{ id: guild?.id ?? '' }],
    presence: false,
    statusPosts: [{ channelId, servers: [], cron: '0 0 1 1 *' }],
    killFeeds: guilds.slice(0, 2).map(({ channels }) => feedIn(channels[0]?.id ?? '')),
  };
  const ports = { deaths: createDeaths() };
  await start(2, { bot: { leases: table.of('first'), timing, config, ports } });
  const posts = () => world.discord.messages(channelId).filter(({ interaction }) => interaction === null);
  await until(() => posts().length === 1);
  const feeds = () =>
    Promise.all(config.killFeeds.map(({ channelId: id }) => world.keyv.has(`feed:${id}:0`)));
  await expect.poll(feeds).toEqual([true, true]);
  const client = contractClient({}, Date.now);
  const another: Bot = startBot({
    token,
    projects: sameProject(() => client),
    config,
    keyv: world.keyv,
    ports,
    leases: table.of('second'),
    log: pino({ level: 'silent' }),
    apiUrl: world.discord.apiUrl,
    timing,
  });
  await table.move('shard:0');
  expect(await another.ready).toBe('ready');
  await until(() => world.discord.gateway.shards.length === 2);
  await expectAnswersEverywhere();
  await Promise.all([another.jobs?.posts.run(), world.bot.jobs?.posts.run()]);
  expect([world.bot.shardMetrics(), another.shardMetrics()]).toMatchObject([
    [{ shard: 1 }],
    [{ shard: 0, logins: 1 }],
  ]);
  expect(posts()).toHaveLength(1);
  // Each process keeps the other's feeds.
  expect(await feeds()).toEqual([true, true]);
  expect(world.discord.gateway).toMatchObject({ identifies: 3, resumes: 0, tooSoon: 0 });
  const registrations = world.discord.requests.filter(
    ({ method, path }) => method === 'PUT' && path.endsWith('/commands'),
  );
  expect(registrations).toHaveLength(1);
  await another.stop();
});
