import { setTimeout as sleep } from 'node:timers/promises';
import {
  createSetup,
  SetupError,
  type Setup,
  type SetupChannel,
  type SetupGuild,
} from '../../bot/setup/setup.ts';
import { CommandFailure } from '../output.ts';
import type { Context } from './context.ts';
import { readSecretFile } from './options.ts';
import type { PlannedDiscord } from './plan.ts';

const portal = 'https://discord.com/developers/applications';
const pollMs = 2_000;
/** The channels of so many guilds are offered. */
const shownGuilds = 10;
const attempts = 5;

/** The bot of a setup; null: none is set up. */
export async function planDiscord(context: Context): Promise<PlannedDiscord | null> {
  if (!context.options.discord) return null;
  const bot = await findToken(context);
  if (bot === null) return null;
  const { setup, application, newToken } = bot;
  context.report(`Discord knows the bot: ${application.name}.`);
  const guilds = await invited(context, setup, application.inviteUrl);
  const place = await choosePlace(context, setup, guilds);
  return { application, newToken, guilds, ...place };
}

interface CheckedToken {
  setup: Setup;
  application: PlannedDiscord['application'];
  newToken: string | null;
}

/** Null: the owner wants no bot now. @throws CommandFailure when Discord refuses the token of the options */
async function findToken(context: Context): Promise<CheckedToken | null> {
  const { options, environment, prompts } = context;
  const { discordTokenFile: file } = options;
  const given = file === undefined ? null : readSecretFile(file, '--discord-token-file');
  const known = given ?? environment.discordToken;
  const check = async (token: string): Promise<CheckedToken> => {
    const setup = createSetup(token, environment.discordApiUrl);
    const newToken = token === environment.discordToken ? null : token;
    return { setup, application: await setup.application(), newToken };
  };
  if (known !== null) {
    try {
      return await check(known);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      const from = given === null ? 'DISCORD_TOKEN' : file;
      if (prompts === null || !error.isRefused)
        throw new CommandFailure(`${from}: ${error.message}`, { cause: error });
      context.warn(`${from}: ${error.message} A new one replaces it.`);
    }
  }
  if (prompts === null) {
    if (options.guild === undefined && options.channel === undefined) return null;
    throw new CommandFailure(
      '--guild and --channel need the token of the bot: add --discord-token-file, or set DISCORD_TOKEN.',
    );
  }
  prompts.info(
    [
      'The bot needs a token:',
      `  1. Open ${portal}`,
      '  2. New Application, then its page "Bot"',
      '  3. Reset Token, then Copy',
    ].join('\n'),
  );
  return await prompts.until(
    async () => await prompts.secret("Paste the bot's token (Enter alone: no Discord for now)"),
    async (token) => await asked(() => check(token.replace(/^Bot\s+/i, '').replaceAll(/^["']|["']$/g, ''))),
    attempts,
  );
}

/** The guilds of the bot. Waits for the first one while somebody can still invite it. */
async function invited(context: Context, setup: Setup, inviteUrl: string): Promise<SetupGuild[]> {
  const guilds = await asked(() => setup.guilds());
  if (guilds.length > 0 || context.prompts === null) return guilds;
  const found = await context.prompts.waitOrLeave(
    `Open this link to add the bot to your Discord server:\n${inviteUrl}\nWaiting until it is there. Press Enter to go on without it.`,
    async (signal) => {
      for (; !signal.aborted; await sleep(pollMs, undefined, { signal }).catch(() => undefined)) {
        // A lost connection does not end the wait.
        const now = await setup.guilds().catch(() => []);
        if (now.length > 0) return now;
      }
      return [];
    },
  );
  for (const { name } of found ?? []) context.report(`The bot is in ${name}.`);
  return found ?? [];
}

type Place = Pick<PlannedDiscord, 'guild' | 'channel'>;
const nowhere: Place = { guild: null, channel: null };

async function choosePlace(context: Context, setup: Setup, guilds: readonly SetupGuild[]): Promise<Place> {
  const { options, prompts } = context;
  const named = options.guild === undefined ? null : guildOf(guilds, options.guild);
  const candidates = named === null ? guilds.slice(0, shownGuilds) : [named];
  const [only] = candidates;
  if (only === undefined) return nowhere;
  if (options.channel === undefined && prompts === null)
    return { guild: candidates.length === 1 ? only : null, channel: null };
  const channels = (await Promise.all(candidates.map((guild) => asked(() => setup.channels(guild))))).flat();
  if (options.channel !== undefined) {
    const channel = channelOf(channels, options.channel);
    return { guild: channel.guild, channel };
  }
  if (prompts === null) return nowhere;
  const isOne = candidates.length === 1;
  const usableFirst = channels.toSorted(
    (a, b) => Number(a.missing.length > 0) - Number(b.missing.length > 0),
  );
  const place = await prompts.select<Place>('In which channel shall the bot keep a status post?', [
    ...usableFirst.map((channel) => ({
      value: { guild: channel.guild, channel },
      label: `#${channel.name}${isOne ? '' : ` (${channel.guild.name})`}`,
      ...(channel.missing.length === 0 ? {} : { hint: `the bot lacks ${channel.missing.join(', ')}` }),
    })),
    ...candidates.map((guild) => ({
      value: { guild, channel: null },
      label: isOne ? 'None for now' : `None for now (${guild.name})`,
    })),
  ]);
  return place;
}

function guildOf(guilds: readonly SetupGuild[], text: string): SetupGuild {
  const found = guilds.find(({ id, name }) => id === text || name === text);
  if (found !== undefined) return found;
  const list = guilds.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
  throw new CommandFailure(`--guild: the bot is not in ${JSON.stringify(text)}. It is in: ${list}.`);
}

function channelOf(channels: readonly SetupChannel[], text: string): SetupChannel {
  const name = text.replace(/^#/, '');
  const found = channels.filter((channel) => channel.id === text || channel.name === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const list = channels.map((channel) => `#${channel.name}`).join(', ') || 'none';
  const problem = only === undefined ? 'there is no text channel' : 'there are several channels';
  throw new CommandFailure(
    `--channel: ${problem} ${JSON.stringify(text)}. The bot sees: ${list}. Use its id.`,
  );
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SetupError) throw new CommandFailure(error.message, { cause: error });
    throw error;
  }
}
