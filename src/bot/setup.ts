import { ChannelType, Routes, type RESTGetAPIGuildChannelsResult } from 'discord.js';
import { httpStatus } from './discord-error.ts';
import { BotReader } from './bot-reader.ts';
import { lacks } from './channels/channel-permissions.ts';
import { inviteLink } from './invite.ts';
import { tokenProblem } from './token-form.ts';

export interface SetupApplication {
  id: string;
  name: string;
  /** Opens Discord's page that adds the bot to a guild, with the permissions and commands that it needs. */
  inviteUrl: string;
}

export interface SetupGuild {
  id: string;
  name: string;
}

export interface SetupChannel {
  id: string;
  name: string;
  guild: SetupGuild;
  /** Names of the permissions that the bot lacks there. */
  missing: string[];
}

/** Discord refused the token, or could not be reached. The message is meant for owners and holds no token. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

export type Setup = ReturnType<typeof createSetup>;

/** What an installation asks Discord about its bot before the bot runs. Each throws SetupError. @param apiUrl null: Discord's own */
export function createSetup(token: string, apiUrl: string | null) {
  const reader = new BotReader({ token, apiUrl: apiUrl ?? undefined });
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    const problem = tokenProblem(token);
    if (problem !== null) throw new SetupError(`This ${problem}. ${copyToken}`);
    try {
      return await work();
    } catch (error) {
      throw setupError(error);
    }
  };
  return {
    application: async (): Promise<SetupApplication> =>
      await asked(async () => {
        const { id, name } = await reader.application();
        return { id, name, inviteUrl: inviteLink(id) };
      }),
    guilds: async (): Promise<SetupGuild[]> => await asked(async () => await reader.guilds()),
    /** The text channels of a guild, in Discord's order. */
    channels: async (guild: SetupGuild): Promise<SetupChannel[]> =>
      await asked(async () => {
        const channels = await reader.get<RESTGetAPIGuildChannelsResult>(Routes.guildChannels(guild.id));
        return await Promise.all(
          inOrder(channels).map(async ({ id, name, permission_overwrites: overwrites = [] }) => {
            const granted = await reader.permissions(guild.id, overwrites);
            return { id, name, guild, missing: needed.filter((permission) => lacks(granted, permission)) };
          }),
        );
      }),
  };
}

const copyToken = 'Copy the token from the page "Bot" of your application: Reset Token, then Copy.';

/** What the bot needs in a channel with posts. */
const needed = ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files'] as const;

/** Voice channels, categories, forums and the like take no posts. */
function inOrder(channels: RESTGetAPIGuildChannelsResult) {
  const text = channels.flatMap((channel) =>
    channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement ? [channel] : [],
  );
  const categories = channels.flatMap((channel) =>
    channel.type === ChannelType.GuildCategory ? [channel] : [],
  );
  // Channels without a category come first.
  const placeOf = (id: string | null | undefined): number =>
    positionOf(categories.find((category) => category.id === id));
  return text.toSorted(
    (a, b) => placeOf(a.parent_id) - placeOf(b.parent_id) || positionOf(a) - positionOf(b),
  );
}

/** Not every channel has a position by its type. */
const positionOf = (channel: object | undefined): number =>
  channel !== undefined && 'position' in channel ? Number(channel.position) : -1;

function setupError(error: unknown): SetupError {
  const status = httpStatus(error);
  if (status === 401) {
    const next = 'Copy it anew from the page "Bot" of your application: Reset Token, then Copy.';
    return new SetupError(`Discord does not know this token. ${next}`, { cause: error });
  }
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = status === null ? (code ?? message) : `HTTP ${status}: ${message}`;
  return new SetupError(
    `Couldn't reach Discord (${reason}). Check the connection of this machine, then try again.`,
    { cause: error },
  );
}
