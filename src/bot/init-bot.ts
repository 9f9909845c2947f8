import { ChannelType, type NewsChannel, type NonThreadGuildBasedChannel, type TextChannel } from 'discord.js';
import { httpStatus } from './discord-error.ts';
import { createBotReader } from './bot-reader.ts';
import { lacks } from './channels/channel-permissions.ts';
import { inviteLink } from './invite.ts';
import { tokenProblem } from './token-form.ts';

export interface InitApplication {
  id: string;
  name: string;
  /** Opens Discord's page that adds the bot to a guild, with the permissions and commands that it needs. */
  inviteUrl: string;
}

export interface InitGuild {
  id: string;
  name: string;
}

export interface InitChannel {
  id: string;
  name: string;
  guild: InitGuild;
  /** Names of the permissions that the bot lacks there. */
  missing: string[];
}

/** Discord refused the token, or could not be reached. The message is meant for owners and holds no token. */
export class InitError extends Error {
  override readonly name = 'InitError';
}

export type InitBot = ReturnType<typeof createInitBot>;

/** What an installation asks Discord about its bot before the bot runs. Each throws InitError. @param apiUrl null: Discord's own */
export function createInitBot(token: string, apiUrl: string | null) {
  const reader = createBotReader(token, apiUrl ?? undefined);
  async function explained<T>(ask: () => Promise<T>): Promise<T> {
    const problem = tokenProblem(token);
    if (problem !== null) throw new InitError(`This ${problem}. ${copyToken}`);
    return await ask().catch((error: unknown) => {
      throw initError(error);
    });
  }
  async function readApplication(): Promise<InitApplication> {
    const { id, name } = await reader.application();
    return { id, name, inviteUrl: inviteLink(id) };
  }
  async function readChannels(guild: InitGuild): Promise<InitChannel[]> {
    const me = await reader.memberIn(guild.id);
    const channels = await me.guild.channels.fetch();
    return inOrder([...channels.values()]).map((channel) => {
      const granted = channel.permissionsFor(me).bitfield;
      const missing = needed.filter((permission) => lacks(granted, permission));
      return { id: channel.id, name: channel.name, guild, missing };
    });
  }
  return {
    application: () => explained(readApplication),
    guilds: () => explained(reader.guilds),
    /** The text channels of a guild, in Discord's order. */
    channels: (guild: InitGuild) => explained(() => readChannels(guild)),
  };
}

const copyToken = 'Copy the token from the page "Bot" of your application: Reset Token, then Copy.';

/** What the bot needs in a channel with posts. */
const needed = ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files'] as const;

type PostChannel = TextChannel | NewsChannel;

/** Voice channels, categories, forums and the like take no posts. Channels without a category come first. */
function inOrder(channels: readonly (NonThreadGuildBasedChannel | null)[]): PostChannel[] {
  const types = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement]);
  const positionOf = (channel: PostChannel): number => channel.parent?.rawPosition ?? -1;
  return channels
    .filter((channel): channel is PostChannel => channel !== null && types.has(channel.type))
    .toSorted((a, b) => positionOf(a) - positionOf(b) || a.rawPosition - b.rawPosition);
}

function initError(error: unknown): InitError {
  const status = httpStatus(error);
  if (status === 401) {
    const next = 'Copy it anew from the page "Bot" of your application: Reset Token, then Copy.';
    return new InitError(`Discord does not know this token. ${next}`, { cause: error });
  }
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = status === null ? (code ?? message) : `HTTP ${status}: ${message}`;
  return new InitError(
    `Couldn't reach Discord (${reason}). Check the connection of this machine, then try again.`,
    { cause: error },
  );
}
