import { Keyv } from 'keyv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, until, type World, type WorldOptions } from './discord-world.ts';
import { askIn, expectOneAnswer, guilds } from './shard-world.ts';

let world: World;
let sessions: Keyv;
beforeEach(() => {
  sessions = new Keyv();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const timing = { recordMs: 10, takeEveryMs: 10, staggerMs: 0, channelWindowMs: 0, sessionLastsMs: 10 };

async function start(shards: number, options: WorldOptions = {}): Promise<void> {
  world = await startWorld({
    ...options,
    discord: { guilds, shards, maxConcurrency: shards, ...options.discord },
    bot: { sessions, timing, ...options.bot },
  });
  expect(await world.bot.ready).toBe('ready');
  await until(() => world.discord.gateway.shards.length === shards);
}

async function expectAnswersEverywhere(): Promise<void> {
  for (const answer of await Promise.all(guilds.map(askIn(world.discord))))
    expectOneAnswer(world.discord, answer);
}
const logged = (text: string): boolean => world.lines.some(({ msg }) => msg.includes(text));

it('has as many shards as Discord recommends, and resumes all of them after a restart', async () => {
  await start(4);
  await expectAnswersEverywhere();
  expect(world.bot.shards().map(({ shard, guilds: count }) => [shard, count])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  await world.restart();
  await expectAnswersEverywhere();
  expect(world.discord.gateway).toMatchObject({ identifies: 4, resumes: 4, tooSoon: 0 });
});

it('has no home guild by itself: a process may know one guild of many', async () => {
  await start(2, { discord: { guilds: guilds.slice(0, 1) } });
  await until(() => logged('is not a home guild'));
});

describe('the number of shards', () => {
  it('stays until Discord recommends more than twice as many', async () => {
    await start(1, { discord: { maxConcurrency: 16 } });
    world.discord.gateway.recommendShards(2);
    await world.restart();
    expect(world.discord.gateway).toMatchObject({ identifies: 1, resumes: 1, shards: [0] });
    world.discord.gateway.recommendShards(3);
    await world.restart();
    await until(() => world.discord.gateway.shards.length === 3);
    await expectAnswersEverywhere();
    expect(world.discord.gateway.identifies).toBe(4);
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
