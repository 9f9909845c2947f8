import { setTimeout as sleep } from 'node:timers/promises';
import {
  createInitBot,
  type InitBot,
  type InitApplication,
  type InitChannel,
  type InitGuild,
} from '../../bot/init-bot.ts';
import { limits } from '../limits.ts';
import { CommandFailure } from '../output.ts';
import { UsageMistake, type World } from './questions.ts';

/** The bot as it is set up. */
export interface Bot {
  reader: InitBot;
  application: InitApplication;
  /** Null: the environment or `.env` has it already. */
  newToken: string | null;
  /** The Discord servers whose channels may have posts. */
  guilds: InitGuild[];
}

/** Asks for the bot's token, and waits until the bot is in a Discord server. Null: no bot is set up. */
export async function connectBot(world: World): Promise<Bot | null> {
  const { options, environment, questions, report } = world;
  if (!options.discord) return null;
  const { discordToken } = environment;
  const bot = await questions.answer({
    option: 'discordTokenFile',
    isSecretFile: true,
    given: discordToken === null ? undefined : { origin: 'DISCORD_TOKEN', read: () => discordToken },
    async ask(prompts) {
      prompts.info(
        [
          'The bot needs a token:',
          '  1. Open https://discord.com/developers/applications',
          '  2. New Application, then its page "Bot"',
          '  3. Reset Token, then Copy',
        ].join('\n'),
      );
      return await prompts.secret("Paste the bot's token (Enter alone: no Discord for now)");
    },
    async check(text) {
      if (text === null) return null;
      const token = text.replace(/^Bot\s+/i, '').replaceAll(/^["']|["']$/g, '');
      const reader = createInitBot(token, environment.discordApiUrl);
      const application = await reader.application();
      report(`Discord knows the bot: ${application.name}.`);
      return { reader, application, newToken: token === discordToken ? null : token };
    },
  });
  if (bot === null) return null;
  const joined = await joinedGuilds(bot, world);
  const guilds = await questions.answer({
    option: 'guild',
    check(text) {
      if (text === null) return joined.slice(0, limits.offeredGuilds);
      const found = joined.find(({ id, name }) => id === text || name === text);
      if (found !== undefined) return [found];
      const list = joined.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
      throw new CommandFailure(`the bot is not in ${JSON.stringify(text)}. It is in: ${list}.`);
    },
  });
  return { ...bot, guilds };
}

async function joinedGuilds(
  { reader, application }: Pick<Bot, 'reader' | 'application'>,
  { prompts, report }: World,
): Promise<InitGuild[]> {
  const guilds = await reader.guilds();
  if (guilds.length > 0 || prompts === null) return guilds;
  const joined = await prompts.waitOrLeave(
    `Open this link to add the bot to your Discord server:\n${application.inviteUrl}\nWaiting until it is there. Press Enter to go on without it.`,
    async (signal) => {
      for (; !signal.aborted; await sleep(2_000, undefined, { signal }).catch(() => undefined)) {
        // A lost connection does not end the wait.
        const now = await reader.guilds().catch(() => []);
        if (now.length > 0) return now;
      }
      return [];
    },
  );
  for (const { name } of joined ?? []) report(`The bot is in ${name}.`);
  return joined ?? [];
}

/** What the bot can post, by the name that `--show` has for it. */
const postKinds = {
  status: { label: 'Status post', hint: 'who is online, kept up to date', needsLogs: false },
  leaderboard: { label: 'Leaderboard', hint: 'the ten with most kills, kept up to date', needsLogs: true },
  recap: { label: 'Weekly recap', hint: 'every Monday: who was first', needsLogs: true },
  'kill-feed': {
    label: 'Kill feed',
    hint: 'a message for each kill; often in a channel of its own',
    needsLogs: true,
  },
} as const;

type PostKind = keyof typeof postKinds;
const usualKinds = new Set(['status', 'leaderboard', 'recap']);

interface WantedPost {
  kind: PostKind;
  /** Its name or id; null: that of all posts. */
  channel: string | null;
}

/** A post in its channel. */
export interface PlannedPost {
  kind: PostKind;
  channel: InitChannel;
}

/** Asks for the posts and the public page, all on one screen. @param servers their logs are what most posts are made of */
export async function askWhatToShow(
  servers: readonly { logs: string | null }[],
  bot: Bot | null,
  { questions, options }: World,
): Promise<{ hasPage: boolean; posts: WantedPost[] }> {
  const hasLogs = servers.some(({ logs }) => logs !== null);
  const hasChannels = bot !== null && (bot.guilds.length > 0 || options.channel !== undefined);
  const canPost = servers.length > 0 && hasChannels;
  const offered = Object.entries(postKinds).filter(([, { needsLogs }]) => canPost && (hasLogs || !needsLogs));
  const choices = [
    ...offered.map(([value, choice]) => ({ value, ...choice })),
    { value: 'page', label: 'Public page', hint: 'a web page, for those without Discord' },
  ];
  const usual = offered.map(([kind]) => kind).filter((kind) => usualKinds.has(kind));
  return await questions.answer({
    option: 'show',
    ask:
      servers.length === 0
        ? undefined
        : async (prompts) =>
            (await prompts.selectSeveral('What shall Outpost show?', choices, usual)).join() || 'nothing',
    check(text) {
      const wanted = text === 'nothing' ? [] : (text?.split(',') ?? usual);
      const parts = wanted.map((part) => {
        const [kind = '', channel = null] = part.split('=').map((text) => text.trim());
        return { kind, channel };
      });
      const kinds = parts.map(({ kind }) => kind);
      const unknown = kinds.find((kind) => kind !== 'page' && !Object.hasOwn(postKinds, kind));
      if (unknown !== undefined)
        throw new UsageMistake(
          `Expected some of ${Object.keys(postKinds).join(', ')} and page, got ${JSON.stringify(unknown)}`,
        );
      const missing = kinds.find((kind) => !choices.some(({ value }) => value === kind));
      if (missing !== undefined)
        throw new CommandFailure(
          `${missing} needs the bot in a Discord server, and ${missing === 'status' ? 'a game server' : 'the logs of a game server'}`,
        );
      const posts = parts.filter(({ kind }) => kind !== 'page') as WantedPost[];
      return { hasPage: kinds.includes('page'), posts };
    },
  });
}

/** Finds the channels of the posts, and asks for the one of those that name none. */
export async function placePosts(
  posts: readonly WantedPost[],
  bot: Bot,
  { questions, options }: World,
): Promise<PlannedPost[]> {
  if (posts.length === 0) return [];
  const { reader, guilds } = bot;
  const channels = (await Promise.all(guilds.map((guild) => reader.channels(guild)))).flat();
  const forAll = posts.every(({ channel }) => channel !== null)
    ? null
    : await questions.answer({
        option: 'channel',
        ask: async (prompts) =>
          await prompts.select('In which channel shall the bot post?', choicesOf(channels, guilds)),
        missing:
          options.show === undefined ? undefined : '--channel is missing: expected the channel of the posts',
        check: (text) => (text === null ? null : channelNamed(text, channels)),
      });
  return posts.flatMap(({ kind, channel: named }) => {
    const channel = named === null ? forAll : channelNamed(named, channels);
    return channel === null ? [] : [{ kind, channel }];
  });
}

function choicesOf(channels: readonly InitChannel[], guilds: readonly InitGuild[]) {
  const usableFirst = channels.toSorted(
    (a, b) => Number(a.missing.length > 0) - Number(b.missing.length > 0),
  );
  return [
    ...usableFirst.map(({ id, name, guild, missing }) => ({
      value: id,
      label: `#${name}${guilds.length === 1 ? '' : ` (${guild.name})`}`,
      ...(missing.length > 0 && { hint: `the bot lacks ${missing.join(', ')}` }),
    })),
    { value: '', label: 'None for now' },
  ];
}

/** @throws CommandFailure */
function channelNamed(text: string, channels: readonly InitChannel[]): InitChannel {
  const name = text.replace(/^#/, '');
  const [only, ...others] = channels.filter((channel) => channel.id === text || channel.name === name);
  if (only !== undefined && others.length === 0) return only;
  const list = channels.map((channel) => `#${channel.name}`).join(', ') || 'none';
  const problem = only === undefined ? 'there is no text channel' : 'there are several channels';
  throw new CommandFailure(`${problem} ${JSON.stringify(text)}. The bot sees: ${list}. Use its id.`);
}
