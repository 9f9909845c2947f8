import type { REST } from '@discordjs/rest';
import {
  ChannelType,
  Routes,
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTGetAPIGatewayBotResult,
  type RESTGetCurrentApplicationResult,
} from 'discord.js';
import { lacks, permissionsIn } from './channels/channel-permissions.ts';
import type { GuildRoles } from './channels/roles/role-obstacle.ts';
import { commandsState, type CommandsState } from './deploy.ts';
import { discordCode, discordErrors, httpStatus } from './discord-error.ts';
import { createRest } from './rest.ts';

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
  const rest = createRest({ ...wanted, timeoutMs });
  const application = (await rest.get(Routes.currentApplication())) as RESTGetCurrentApplicationResult;
  const [gateway, joined] = await Promise.all([
    rest.get(Routes.gatewayBot()) as Promise<RESTGetAPIGatewayBotResult>,
    rest.get(Routes.userGuilds()) as Promise<RESTGetAPICurrentUserGuildsResult>,
  ]);
  const guilds = new Map(joined.map(({ id, name }) => [id, name]));
  const scopes = wanted.guildIds.length === 0 ? [null] : wanted.guildIds.filter((id) => guilds.has(id));
  const { homeGuildIds: named } = wanted;
  const homeGuilds = new Set(named.length > 0 || guilds.size !== 1 ? named : guilds.keys());
  const channels = new Channels(rest, application.bot?.id ?? application.id);
  const [guildRoles, commands, found] = await Promise.all([
    Promise.all(
      [...homeGuilds]
        .filter((id) => wanted.givesRoles && guilds.has(id))
        .map(async (id) => await channels.rolesOf(id)),
    ),
    Promise.all(scopes.map(async (id) => [id, await commandsState(rest, application.id, id)] as const)),
    Promise.all([...new Set(wanted.channelIds)].map(async (id) => [id, await channels.facts(id)] as const)),
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

class Channels {
  readonly #rest: REST;
  readonly #botId: string;
  readonly #guilds = new Map<string, Promise<{ guild: APIGuild; member: APIGuildMember }>>();

  constructor(rest: REST, botId: string) {
    this.#rest = rest;
    this.#botId = botId;
  }

  async facts(id: string): Promise<ChannelFacts> {
    try {
      return await this.#find(id);
    } catch (error) {
      const code = discordCode(error);
      if (code === discordErrors.unknownChannel || httpStatus(error) === 404) return { state: 'unknown' };
      if (code === discordErrors.missingAccess || httpStatus(error) === 403) return { state: 'noAccess' };
      return { state: 'failed', message: (error as Error).message };
    }
  }

  async rolesOf(guildId: string): Promise<GuildRoles> {
    const { guild, member } = await this.#guild(guildId);
    const roles = guild.roles.map((role) => ({ ...role, permissions: BigInt(role.permissions) }));
    return { guildId, roles, own: member.roles };
  }

  async #find(id: string): Promise<ChannelFacts> {
    const channel = (await this.#rest.get(Routes.channel(id))) as APIChannel & {
      guild_id?: string;
      parent_id?: string | null;
    };
    const guildId = channel.guild_id;
    if (guildId === undefined) return { state: 'unknown' };
    const isThread = threads.has(channel.type);
    const parent =
      isThread && channel.parent_id
        ? ((await this.#rest.get(Routes.channel(channel.parent_id))) as APIChannel)
        : channel;
    const { guild, member } = await this.#guild(guildId);
    const overwrites = 'permission_overwrites' in parent ? (parent.permission_overwrites ?? []) : [];
    const kind: Found['kind'] = isThread ? 'thread' : texts.has(channel.type) ? 'text' : 'other';
    return {
      state: 'found',
      guildId,
      name: channel.name ?? '',
      kind,
      isLocked: 'thread_metadata' in channel && (channel.thread_metadata?.locked ?? false),
      permissions: permissionsIn(guild.roles, overwrites, {
        id: this.#botId,
        roles: member.roles,
        guildId,
        isOwner: guild.owner_id === this.#botId,
      }),
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

  async #guild(id: string): Promise<{ guild: APIGuild; member: APIGuildMember }> {
    let found = this.#guilds.get(id);
    if (found === undefined) {
      const guild = this.#rest.get(Routes.guild(id)) as Promise<APIGuild>;
      const member = this.#rest.get(Routes.guildMember(id, this.#botId)) as Promise<APIGuildMember>;
      found = Promise.all([guild, member]).then(([guild, member]) => ({ guild, member }));
      this.#guilds.set(id, found);
    }
    return await found;
  }
}
