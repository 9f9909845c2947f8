import {
  ChannelType,
  Routes,
  type APIApplication,
  type APIGuildMember,
  type APIRole,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTGetAPIGuildChannelsResult,
} from 'discord.js';
import { httpStatus } from './discord-error.ts';
import { createRest } from './rest.ts';
import { lacks, permissionsIn } from './channels/channel-permissions.ts';
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
  /** False: the token may be right. */
  readonly isRefused: boolean;

  constructor(message: string, isRefused: boolean, cause?: unknown) {
    super(message, { cause });
    this.isRefused = isRefused;
  }
}

export type Setup = ReturnType<typeof createSetup>;

/** What an installation asks Discord about its bot before the bot runs. Each throws SetupError. @param apiUrl null: Discord's own */
export function createSetup(token: string, apiUrl: string | null) {
  const problem = tokenProblem(token);
  const rest = createRest({ token, apiUrl: apiUrl ?? undefined });
  const get = async <T>(route: `/${string}`): Promise<T> => {
    if (problem !== null) throw new SetupError(`This ${problem}. ${copyToken}`, true);
    try {
      return (await rest.get(route)) as T;
    } catch (error) {
      throw setupError(error);
    }
  };
  let userId: string | null = null;
  return {
    async application(): Promise<SetupApplication> {
      const { id, name, bot } = await get<APIApplication>(Routes.currentApplication());
      userId = bot?.id ?? id;
      return { id, name, inviteUrl: inviteLink(id) };
    },
    /** The guilds that the bot is in; Discord returns the first 200. */
    async guilds(): Promise<SetupGuild[]> {
      const guilds = await get<RESTGetAPICurrentUserGuildsResult>(Routes.userGuilds());
      return guilds.map(({ id, name }) => ({ id, name }));
    },
    /** The text channels of a guild, in Discord's order. */
    async channels(guild: SetupGuild): Promise<SetupChannel[]> {
      userId ??= (await get<{ id: string }>(Routes.user())).id;
      const [channels, roles, { roles: own }] = await Promise.all([
        get<RESTGetAPIGuildChannelsResult>(Routes.guildChannels(guild.id)),
        get<APIRole[]>(Routes.guildRoles(guild.id)),
        get<APIGuildMember>(Routes.guildMember(guild.id, userId)),
      ]);
      const member = { id: userId, roles: own, guildId: guild.id, isOwner: false };
      return inOrder(channels).map(({ id, name, permission_overwrites: overwrites = [] }) => {
        const granted = permissionsIn(roles, overwrites, member);
        return { id, name, guild, missing: needed.filter((permission) => lacks(granted, permission)) };
      });
    },
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
    return new SetupError(`Discord does not know this token. ${next}`, true, error);
  }
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = status === null ? (code ?? message) : `HTTP ${status}: ${message}`;
  return new SetupError(
    `Couldn't reach Discord (${reason}). Check the connection of this machine, then try again.`,
    false,
    error,
  );
}
