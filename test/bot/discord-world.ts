import { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Client } from '../../src/api/client-types.ts';
import { startBot, type Bot, type BotOptions } from '../../src/bot/bot.ts';
import type { BotRecords } from '../../src/bot/bot-records.ts';
import type { Community, Pictures } from '../../src/commands/interfaces/community.ts';
import { sameProject, type GuildProjects } from '../../src/bot/shown-project.ts';
import { startLocalDiscord, type LocalDiscord, type LocalDiscordOptions } from 'local-discord';
import { contractClient } from '../commands/contract-client.ts';
import { noPictures, noRecords, testCommunity } from '../commands/test-community.ts';

export const token = 'local-test-token';
export const guildId = '1100000000000000100';
export const channelId = '1100000000000000200';
export const member = { id: '1100000000000000301', username: 'mira' };
/** Ban Members. */
export const moderator = { id: '1100000000000000302', username: 'mod', permissions: 4n };

export interface LogLine {
  level: number;
  msg: string;
  [key: string]: unknown;
}

export interface World extends AsyncDisposable {
  discord: LocalDiscord;
  bot: Bot;
  /** What the bot logged. */
  lines: LogLine[];
  keyv: Keyv;
  /** Stops the bot and starts another one on the same Discord and with the same small state. */
  restart(options?: BotParts): Promise<Bot>;
}

/** Options of a bot, some of which may be given in part. */
export type BotParts = Partial<Omit<BotOptions, 'pictures' | 'records'>> & {
  community?: Partial<Community>;
  pictures?: Partial<Pictures>;
  records?: Partial<BotRecords>;
};

/** A project that all guilds show. */
export const testProjects = (clientAs: () => Client, community: Partial<Community> = {}): GuildProjects =>
  sameProject(clientAs, testCommunity(clientAs(), community));

export interface WorldOptions {
  client?: Client;
  bot?: BotParts;
  discord?: Partial<LocalDiscordOptions>;
  /** Called before the bot starts. */
  prepare?: (discord: LocalDiscord) => void;
}

/** One member asks in most tests, as fast as the bot answers. */
const withoutMemberLimit = { memberRate: { burst: 1_000_000, everyMs: 1 } };
/** A busy machine takes longer for an answer than the bot waits before it defers one. */
const seldomDeferred = { deferAfterMs: 1_500 };

/** A local Discord and the whole bot on it, with the real discord.js. It waits for answers of a busy machine, too. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const discord = await startLocalDiscord({
    token,
    acknowledgeWithinMs: 60_000,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
    ...options.discord,
  });
  options.prepare?.(discord);
  const lines: LogLine[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) },
  );
  const keyv = new Keyv();
  const client = options.client ?? contractClient({}, Date.now);
  const start = async (over: BotParts = {}) => {
    const { community, pictures, records, ...bot } = { ...options.bot, ...over };
    return startBot({
      token,
      projects: sameProject(() => client, testCommunity(client, community, keyv)),
      config: { locale: 'en-US', guildIds: [], statusPosts: [], presence: false },
      keyv,
      log,
      apiUrl: discord.apiUrl,
      ...bot,
      pictures: { ...noPictures, ...pictures },
      records: records === undefined ? null : { ...noRecords, ...records },
      timing: {
        ...withoutMemberLimit,
        ...seldomDeferred,
        ...options.bot?.timing,
        ...over.timing,
      },
    });
  };
  const world: World = {
    discord,
    bot: await start(),
    lines,
    keyv,
    async restart(over) {
      await world.bot.stop();
      world.bot = await start(over);
      await world.bot.ready;
      return world.bot;
    },
    async [Symbol.asyncDispose]() {
      await world.bot.stop();
      await discord.close();
      expect(JSON.stringify(lines)).not.toContain(token);
    },
  };
  return world;
}

/** Waits for a state of affairs that something under way brings about. */
export async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A promise to be settled by hand. */
export function held<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
