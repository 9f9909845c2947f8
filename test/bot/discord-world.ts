import { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Client } from '../../src/api/client-types.ts';
import { startBot, type Bot, type BotOptions, type BotTiming } from '../../src/bot/bot.ts';
import type { BotRecords } from '../../src/bot/bot-records.ts';
import type { Community, Pictures } from '../../src/commands/interfaces/community.ts';
import { singleProject, type GuildProjects } from '../../src/bot/shown-project.ts';
import { discord as section, type DiscordConfig } from '../../src/config/schema/discord.ts';
import {
  startLocalDiscord,
  type Invocation,
  type LocalDiscord,
  type LocalDiscordOptions,
} from 'local-discord';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';
import { noPictures, noRecords, testCommunity } from '../commands/test-community.ts';

export const token = 'local-test-token';
export const guildId = '1100000000000000100';
export const channelId = '1100000000000000200';
export const member = { id: '1100000000000000301', username: 'mira' };
/** Manage Server. */
export const manager = { id: '1100000000000000303', username: 'owner', permissions: 1n << 5n };
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

/** The section `discord`, as an owner writes it. */
export type DiscordInput = z.input<typeof section>;

/** The same with its defaults. The process goes on when Discord refuses the bot. */
export const discordConfig = (input: DiscordInput): DiscordConfig =>
  section.parse({ keepServing: true, ...input });

/** Options of a bot, some of which may be given in part. */
export type BotParts = Partial<Omit<BotOptions, 'config' | 'pictures' | 'records'>> & {
  config?: DiscordInput;
  community?: Partial<Community>;
  pictures?: Partial<Pictures>;
  records?: Partial<BotRecords>;
};

/** A project that all guilds show. */
export const testProjects = (clientAs: () => Client, community: Partial<Community> = {}): GuildProjects =>
  singleProject(clientAs, testCommunity(clientAs(), community));

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
const notDeferred = { deferAfterMs: 60_000 };

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
    const { config, community, pictures, records, ...bot } = { ...options.bot, ...over };
    return startBot({
      token,
      projects: singleProject(() => client, testCommunity(client, community, keyv)),
      config: discordConfig(config ?? { locale: 'en-US', presence: false }),
      keyv,
      log,
      apiUrl: discord.apiUrl,
      ...bot,
      pictures: { ...noPictures, ...pictures },
      records: records === undefined ? null : { ...noRecords, ...records },
      timing: {
        ...withoutMemberLimit,
        ...notDeferred,
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

export interface TimedWorldOptions extends Omit<WorldOptions, 'client'> {
  /** The service's answers. A test may change them. */
  handlers?: Partial<Handlers>;
  config?: DiscordInput;
  timing?: Partial<BotTiming>;
  clock?: TestClock;
}

/** A world whose time only the test moves, and whose jobs run when it says so. */
export async function startTimedWorld(options: TimedWorldOptions = {}) {
  const { handlers = {}, config, timing, clock = createTestClock(data.now), ...others } = options;
  const settings: DiscordInput = { presence: false, ...config };
  const world = await startWorld({
    ...others,
    client: contractClient(handlers, clock.now),
    discord: { now: clock.now, ...others.discord },
    bot: {
      now: clock.now,
      monotonic: clock.monotonic,
      config: settings,
      timing: {
        staggerMs: 0,
        feedPollMs: 3_600_000,
        recapPollMs: 3_600_000,
        rolePollMs: 3_600_000,
        ...timing,
      },
      ...others.bot,
    },
  });
  await world.bot.ready;
  await world.bot.jobs?.run();
  return {
    world,
    clock,
    handlers,
    settings,
    /** Lets time pass and does what is due. */
    async run(ms = 0) {
      clock.advance(ms);
      await world.bot.jobs?.run();
    },
  };
}

export const isPost = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && path.endsWith('/messages');

type CommandValues = Record<string, string | number | boolean>;

/** Uses a command of `/outpost` as who manages the guild. */
export const useOutpost = (
  { discord }: World,
  command: string,
  options: CommandValues = {},
  usedIn = channelId,
): Promise<Invocation> =>
  discord.invoke({ guildId, channelId: usedIn, user: manager, commandName: `outpost ${command}`, options });

interface Menu {
  custom_id: string;
  options: { value: string; label: string; description?: string }[];
}

/** The menus of an answer. */
export const menusOf = ({ message }: Invocation): Menu[] =>
  (message?.components ?? []).map(({ components }) => components?.[0] as unknown as Menu);

/** Chooses from the first menu of an answer. @param values left out: the first one */
export async function choose(
  { discord }: World,
  answer: Invocation,
  values?: string[],
  user: { id: string; username: string } = manager,
): Promise<Invocation> {
  const [menu] = menusOf(answer);
  return await discord.select({
    messageId: answer.message!.id,
    customId: menu!.custom_id,
    user,
    values: values ?? [menu!.options[0]!.value],
  });
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
