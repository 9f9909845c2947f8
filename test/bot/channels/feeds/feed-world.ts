import type { Deaths, FeedDeath, Community } from '../../../../src/commands/interfaces/community.ts';
import type { TestClock } from '../../../harness/clock.ts';
import * as data from '../../../embeds/contract-data.ts';
import {
  channelId,
  startTimedWorld,
  type BotParts,
  type TimedWorldOptions,
  type World,
  type DiscordInput,
} from '../../discord-world.ts';

export const second = 1_000;
export const minute = 60 * second;
type FeedOptions = Partial<NonNullable<DiscordInput['killFeeds']>[number]>;

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
  clock: TestClock;
  config: DiscordInput;
  deaths: TestDeaths;
  /** Stores a death that happened just now, and returns it. */
  die(over?: Partial<FeedDeath>): FeedDeath;
  /** Lets time pass and posts what is due. */
  run(ms?: number): Promise<void>;
  /** What the channel's messages say, oldest first, with usual spaces and hyphens. */
  texts(channel?: string): string[];
}

export interface FeedWorldOptions extends Omit<TimedWorldOptions, 'bot'> {
  feed?: FeedOptions;
  feeds?: FeedOptions[];
  bot?: BotParts;
  community?: Partial<Community>;
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
  const deaths = createDeaths();
  deaths.all.push(...(options.past ?? []));
  const killFeeds = (options.feeds ?? [options.feed ?? {}]).map((feed) => ({ ...settings, ...feed }));
  const {
    world,
    clock,
    run,
    settings: config,
  } = await startTimedWorld({
    ...options,
    config: { locale: 'en-US', killFeeds, ...options.config },
    bot: { community: { deaths, ...options.community }, ...options.bot },
  });
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
    run,
    texts: (channel = channelId) =>
      world.discord.messages(channel).map(({ embeds }) => {
        const [embed] = embeds;
        const text = [embed?.title, embed?.description, embed?.footer?.text].filter(Boolean).join('\n');
        return text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-');
      }),
  };
}
