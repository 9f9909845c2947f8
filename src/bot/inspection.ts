import { RESTJSONErrorCodes as ErrorCodes, type GuildMember } from 'discord.js';
import { createBotReader, type BotReader } from './bot-reader.ts';
import { isForAll } from './channels/channel-permissions.ts';
import { labelOf, roleObstacle, type RoleObstacle } from './channels/roles/role-obstacle.ts';
import { commandsState, type CommandsState } from './deploy.ts';
import { discordCode, httpStatus } from './discord-error.ts';
import { inspectionMs } from './limits.ts';

/** What a config wants from Discord. */
interface Wanted {
  token: string;
  apiUrl?: string | undefined;
  /** Commands in these guilds only; empty: everywhere. */
  guildIds: readonly string[];
  /** The home guilds that it names. */
  homeGuildIds: readonly string[];
  /** The roles that the bot is to give. */
  roleIds: readonly string[];
  channelIds: readonly string[];
}

/** A channel as Discord shows it to the bot. */
export type ChannelFacts =
  | { state: 'unknown' }
  | { state: 'noAccess' }
  /** Discord answered with another error. */
  | { state: 'failed'; message: string }
  | {
      state: 'found';
      guildId: string;
      name: string;
      /** `other`: no messages can be sent to it. */
      kind: 'text' | 'thread' | 'other';
      permissions: bigint;
      /** Everyone in its guild can see it. */
      isForAll: boolean;
      /** The roles of its guild that everyone may mention. */
      mentionable: ReadonlySet<string>;
      roles: ReadonlySet<string>;
    };

interface RoleFacts {
  guildId: string;
  label: string;
  /** What keeps the bot from giving and taking it. */
  obstacle: RoleObstacle | null;
}

export interface DiscordFacts {
  applicationId: string;
  name: string;
  /** The first 200. */
  guilds: ReadonlyMap<string, string>;
  /** Those that the config names, or else the only one that the bot is in. */
  homeGuilds: ReadonlySet<string>;
  /** Those roles of which the bot is in the home guild, by their ids. */
  roles: ReadonlyMap<string, RoleFacts>;
  /** By guild; null: everywhere. */
  commands: ReadonlyMap<string | null, CommandsState>;
  channels: ReadonlyMap<string, ChannelFacts>;
}

/**
 * Reads what Discord knows of the bot, without connecting as the bot: each connection counts against a daily limit.
 * @throws what REST throws; `inspectionProblem` explains it
 */
export async function inspectDiscord(wanted: Wanted): Promise<DiscordFacts> {
  const reader = createBotReader(wanted.token, wanted.apiUrl, inspectionMs);
  const application = await reader.application();
  const joined = await reader.guilds();
  const guilds = new Map(joined.map(({ id, name }) => [id, name]));
  const scopes = wanted.guildIds.length === 0 ? [null] : wanted.guildIds.filter((id) => guilds.has(id));
  const { homeGuildIds: named } = wanted;
  const homeGuilds = new Set(named.length > 0 || guilds.size !== 1 ? named : guilds.keys());
  const { roleIds } = wanted;
  const guildsOfRoles = roleIds.length === 0 ? [] : [...homeGuilds].filter((id) => guilds.has(id));
  const [roles, commands, found] = await Promise.all([
    Promise.all(guildsOfRoles.map(async (id) => rolesIn(await reader.memberIn(id), roleIds))),
    Promise.all(scopes.map(async (id) => [id, await commandsState(reader, application.id, id)] as const)),
    Promise.all(
      [...new Set(wanted.channelIds)].map(async (id) => [id, await channelFacts(reader, id)] as const),
    ),
  ]);
  return {
    applicationId: application.id,
    name: application.bot?.username ?? application.name,
    guilds,
    homeGuilds,
    roles: new Map(roles.flat()),
    commands: new Map(commands),
    channels: new Map(found),
  };
}

function rolesIn(me: GuildMember, roleIds: readonly string[]): [string, RoleFacts][] {
  const roles = roleIds.flatMap((id) => me.guild.roles.cache.get(id) ?? []);
  return roles.map((role) => {
    return [role.id, { guildId: me.guild.id, label: labelOf(role), obstacle: roleObstacle(me, role.id) }];
  });
}

/** `refused`: Discord does not know the token; null: Discord cannot be reached. */
export function inspectionProblem(error: unknown): 'refused' | 'limited' | null {
  const status = httpStatus(error);
  if (status === 401) return 'refused';
  return status === 429 ? 'limited' : null;
}

async function channelFacts(reader: BotReader, id: string): Promise<ChannelFacts> {
  try {
    const found = await reader.channel(id);
    if (found === null) return { state: 'unknown' };
    const { channel, me } = found;
    const roles = channel.guild.roles.cache;
    const isText = channel.isTextBased() && !channel.isThread();
    return {
      state: 'found',
      guildId: channel.guildId,
      name: channel.name,
      kind: channel.isThread() ? 'thread' : isText ? 'text' : 'other',
      permissions: channel.permissionsFor(me)?.bitfield ?? 0n,
      isForAll: isForAll(channel),
      mentionable: new Set(roles.filter(({ mentionable }) => mentionable).keys()),
      roles: new Set(roles.keys()),
    };
  } catch (error) {
    const code = discordCode(error);
    if (code === ErrorCodes.UnknownChannel || httpStatus(error) === 404) return { state: 'unknown' };
    if (code === ErrorCodes.MissingAccess || httpStatus(error) === 403) return { state: 'noAccess' };
    return { state: 'failed', message: (error as Error).message };
  }
}
