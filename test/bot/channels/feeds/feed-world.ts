import type { Deaths, FeedDeath, Community } from '../../../../src/commands/interfaces/community.ts';
import type { BotConfig } from '../../../../src/bot/bot.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { contractClient, type Handlers } from '../../../commands/contract-client.ts';
import * as data from '../../../embeds/contract-data.ts';
import { channelId, startWorld, type BotParts, type World, type WorldOptions } from '../../discord-world.ts';

export const second = 1_000;
export const minute = 60 * second;
type FeedOptions = Partial<NonNullable<BotConfig['killFeeds']>[number]>;

/** Deaths as a store has them, to which a test adds. */
export interface TestDeaths extends Deaths {
  all: FeedDeath[];
  /** Changes a player's name in every death, as hiding or forgetting does. */
  rename(from: string, to: string | null): void;
}

export function createDeaths(): TestDeaths {
  const all: FeedDeath[] = [];
  return {
    all,
    rename(from, to) {
      for (const [i, death] of all.entries()) {
        const named = <T extends FeedDeath['killer']>(player: T): T =>
          player?.name === from ? { ...player, name: to } : player;
        all[i] = { ...death, victim: named(death.victim), killer: named(death.killer) };
      }
    },
    latest: async () => all.at(-1)?.id ?? 0,
    async after(serverIds, id, limit) {
      const found = all.filter((death) => death.id > id && serverIds.includes(death.serverId));
      const deaths = found.slice(0, limit);
      const isLast = found.length <= limit;
      return { deaths, through: (isLast ? all : deaths).at(-1)?.id ?? id, isLast };
    },
  };
}

export const aDeath: FeedDeath = {
  id: 1,
  serverId: 'northwood-1',
  at: data.now,
  storedAt: data.now,
  victim: { name: 'Bert' },
  killer: { name: 'Anna' },
  cause: 'player',
  weapon: 'M4-A1',
  weaponKind: null,
  isHeadshot: false,
  meters: 120.4,
  position: { east: 4567.8, north: 9876.5 },
  streak: 1,
  endedStreak: 0,
  players: [1, 2],
};

export interface FeedWorld {
  world: World;
  clock: ReturnType<typeof createTestClock>;
  config: BotConfig;
  deaths: TestDeaths;
  /** Stores a death that happened just now, and returns it. */
  die(over?: Partial<FeedDeath>): FeedDeath;
  /** Lets time pass and posts what is due. */
  run(ms?: number): Promise<void>;
  /** What the channel's messages say, oldest first. */
  texts(channel?: string): string[];
}

export interface FeedWorldOptions {
  feed?: FeedOptions;
  feeds?: FeedOptions[];
  handlers?: Partial<Handlers>;
  discord?: WorldOptions['discord'];
  bot?: BotParts;
  community?: Partial<Community>;
  config?: Partial<BotConfig>;
  /** Called before the bot starts. */
  prepare?: WorldOptions['prepare'];
  /** Deaths that are stored before the bot starts. */
  past?: readonly FeedDeath[];
}

const settings = {
  channelId,
  servers: ['northwood-1'],
  show: [],
  delaySeconds: 0,
  positions: false,
  maxAgeMinutes: 10,
};

/** A bot with kill feeds that post when the test says so. */
export async function startFeedWorld(options: FeedWorldOptions = {}): Promise<FeedWorld> {
  const clock = createTestClock(data.now);
  const deaths = createDeaths();
  deaths.all.push(...(options.past ?? []));
  const killFeeds = (options.feeds ?? [options.feed ?? {}]).map((feed) => ({ ...settings, ...feed }));
  const plain = { locale: 'en-US', guildIds: [], statusPosts: [], presence: false, killFeeds };
  const config = { ...plain, ...options.config };
  const world = await startWorld({
    client: contractClient(options.handlers, clock.now),
    discord: { now: clock.now, ...options.discord },
    ...(options.prepare && { prepare: options.prepare }),
    bot: {
      now: clock.now,
      monotonic: clock.monotonic,
      community: { deaths, ...options.community },
      config,
      timing: { staggerMs: 0, feedPollMs: 3_600_000 },
      ...options.bot,
    },
  });
  await world.bot.ready;
  await world.bot.jobs?.run();
  return {
    world,
    clock,
    config,
    deaths,
    die(over = {}) {
      const moment = { at: clock.now(), storedAt: clock.now() };
      const death: FeedDeath = { ...aDeath, ...moment, id: deaths.all.length + 1, ...over };
      deaths.all.push(death);
      return death;
    },
    async run(ms = 0) {
      clock.advance(ms);
      await world.bot.jobs?.run();
    },
    texts: (channel = channelId) =>
      world.discord.messages(channel).map(({ embeds }) => {
        const [embed] = embeds;
        return [embed?.title, embed?.description, embed?.footer?.text].filter(Boolean).join('\n');
      }),
  };
}
