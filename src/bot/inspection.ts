import { ChannelType, Routes, type APIChannel, type RESTGetAPIGatewayBotResult } from 'discord.js';
import { BotReader } from './bot-reader.ts';
import { lacks, permissionsIn } from './channels/channel-permissions.ts';
import type { GuildRoles } from './channels/roles/role-obstacle.ts';
import { commandsState, type CommandsState } from './deploy.ts';
import { discordCode, discordErrors, httpStatus } from './discord-error.ts';

/** What a config wants from Discord. */
interface Wanted {
  token: string;
  apiUrl?: string | undefined;
  /** Commands in these guilds only; empty: everywhere. */
  guildIds: readonly string[];
  /** The home guilds that it names. */
  homeGuildIds: readonly string[];
  /** Whether the bot is to give roles. */
  givesRoles: boolean;
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
      /** A thread that only moderators can reopen. */
      isLocked: boolean;
      permissions: bigint;
      /** Everyone in its guild can see it. */
      isForAll: boolean;
      /** The roles of its guild that everyone may mention. */
      mentionable: ReadonlySet<string>;
      roles: ReadonlySet<string>;
    };

export interface DiscordFacts {
  applicationId: string;
  name: string;
  /** How often the bot may still connect today, and how often in all. */
  sessionStarts: { remaining: number; total: number };
  /** The first 200. */
  guilds: ReadonlyMap<string, string>;
  /** Those that the config names, or else the only one that the bot is in. */
  homeGuilds: ReadonlySet<string>;
  /** Of the home guilds that the bot is in, if it is to give roles. */
  guildRoles: readonly GuildRoles[];
  /** By guild; null: everywhere. */
  commands: ReadonlyMap<string | null, CommandsState>;
  channels: ReadonlyMap<string, ChannelFacts>;
}

/** Limit for a request: a person waits for the result. */
const timeoutMs = 8_000;

/**
 * Reads what Discord knows of the bot, without connecting as the bot: each connection counts against a daily limit.
 * @throws what REST throws; `inspectionProblem` explains it
 */
export async function inspectDiscord(wanted: Wanted): Promise<DiscordFacts> {
  const reader = new BotReader({ ...wanted, timeoutMs });
  const application = await reader.application();
  const [gateway, joined] = await Promise.all([
    reader.get<RESTGetAPIGatewayBotResult>(Routes.gatewayBot()),
    reader.guilds(),
  ]);
  const guilds = new Map(joined.map(({ id, name }) => [id, name]));
  const scopes = wanted.guildIds.length === 0 ? [null] : wanted.guildIds.filter((id) => guilds.has(id));
  const { homeGuildIds: named } = wanted;
  const homeGuilds = new Set(named.length > 0 || guilds.size !== 1 ? named : guilds.keys());
  const [guildRoles, commands, found] = await Promise.all([
    Promise.all(
      [...homeGuilds]
        .filter((id) => wanted.givesRoles && guilds.has(id))
        .map(async (id) => await rolesOf(reader, id)),
    ),
    Promise.all(
      scopes.map(async (id) => [id, await commandsState(reader.rest, application.id, id)] as const),
    ),
    Promise.all(
      [...new Set(wanted.channelIds)].map(async (id) => [id, await channelFacts(reader, id)] as const),
    ),
  ]);
  return {
    applicationId: application.id,
    name: application.bot?.username ?? application.name,
    sessionStarts: gateway.session_start_limit,
    guilds,
    homeGuilds,
    guildRoles,
    commands: new Map(commands),
    channels: new Map(found),
  };
}

/** `refused`: Discord does not know the token; null: Discord cannot be reached. */
export function inspectionProblem(error: unknown): 'refused' | 'limited' | null {
  const status = httpStatus(error);
  if (status === 401) return 'refused';
  return status === 429 ? 'limited' : null;
}

type Found = Extract<ChannelFacts, { state: 'found' }>;

const threads = new Set<ChannelType>([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);
const texts = new Set<ChannelType>([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
]);

async function channelFacts(reader: BotReader, id: string): Promise<ChannelFacts> {
  try {
    return await findChannel(reader, id);
  } catch (error) {
    const code = discordCode(error);
    if (code === discordErrors.unknownChannel || httpStatus(error) === 404) return { state: 'unknown' };
    if (code === discordErrors.missingAccess || httpStatus(error) === 403) return { state: 'noAccess' };
    return { state: 'failed', message: (error as Error).message };
  }
}

async function rolesOf(reader: BotReader, guildId: string): Promise<GuildRoles> {
  const { guild, member } = await reader.guild(guildId);
  const roles = guild.roles.map((role) => ({ ...role, permissions: BigInt(role.permissions) }));
  return { guildId, roles, own: member.roles };
}

async function findChannel(reader: BotReader, id: string): Promise<ChannelFacts> {
  type GuildChannel = APIChannel & { guild_id?: string; parent_id?: string | null };
  const channel = await reader.get<GuildChannel>(Routes.channel(id));
  const guildId = channel.guild_id;
  if (guildId === undefined) return { state: 'unknown' };
  const isThread = threads.has(channel.type);
  const parent =
    isThread && channel.parent_id ? await reader.get<APIChannel>(Routes.channel(channel.parent_id)) : channel;
  const { guild } = await reader.guild(guildId);
  const overwrites = 'permission_overwrites' in parent ? (parent.permission_overwrites ?? []) : [];
  const kind: Found['kind'] = isThread ? 'thread' : texts.has(channel.type) ? 'text' : 'other';
  return {
    state: 'found',
    guildId,
    name: channel.name ?? '',
    kind,
    isLocked: 'thread_metadata' in channel && (channel.thread_metadata?.locked ?? false),
    permissions: await reader.permissions(guildId, overwrites),
    // Only its own members see a private thread, whatever the permissions of the channel around it.
    isForAll:
      channel.type !== ChannelType.PrivateThread &&
      !lacks(
        permissionsIn(guild.roles, overwrites, { id: '', roles: [], guildId, isOwner: false }),
        'View Channel',
      ),
    mentionable: new Set(guild.roles.filter(({ mentionable }) => mentionable).map((role) => role.id)),
    roles: new Set(guild.roles.map((role) => role.id)),
  };
}
