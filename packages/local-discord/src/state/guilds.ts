import type { User } from '../discord-types.ts';
import { botPermissions, memberPermissions, permissionsIn } from './permissions.ts';
import { rememberUser } from './state.ts';
import type { Channel, Guild, State } from './state.ts';

export interface GuildOptions {
  id: string;
  name: string;
  /** Preferred locale, default `en-US`. */
  locale?: string;
  channels: { id: string; name: string; topic?: string }[];
  members?: { id: string; username: string; displayName?: string; roles?: string[] }[];
  /** Each above the one before it, and all above the bot's own, unless they have positions. */
  roles?: RoleOptions[];
}

export interface RoleOptions {
  id: string;
  name: string;
  mentionable?: boolean;
  permissions?: bigint;
  /** Higher ones are above. The bot's own role has 1 at first. */
  position?: number;
  /** Managed by an integration: it cannot be assigned. */
  managed?: boolean;
}

/** What a new role is like. */
export const plainRole = { permissions: 0n, position: 0, managed: false, mentionable: false };

/** Founds a guild in which the bot is a member with the usual grants. Does not dispatch anything. */
export function addGuild(state: State, options: GuildOptions): Guild {
  const { id, name, locale = 'en-US', channels, members = [], roles = [] } = options;
  const joinedAt = state.now();
  const ownerId = members[0]?.id ?? state.snowflake();
  const everyone = { ...plainRole, id, name: '@everyone', permissions: memberPermissions };
  const botRole = {
    ...plainRole,
    id: state.snowflake(),
    name: state.bot.username,
    permissions: botPermissions,
    position: 1,
    managed: true,
  };
  const bot = { user: state.bot, roles: [botRole.id], joinedAt };
  const guild: Guild = {
    id,
    name,
    ownerId,
    locale,
    roles: new Map([everyone, botRole].map((role) => [role.id, role])),
    members: new Map([[state.bot.id, bot]]),
    channels: new Map(),
    unavailable: false,
  };
  for (const role of roles) guild.roles.set(role.id, { ...plainRole, position: guild.roles.size, ...role });
  for (const member of members) {
    const user = rememberUser(state, member);
    guild.members.set(user.id, { user, roles: member.roles ?? [], joinedAt });
  }
  state.guilds.set(guild.id, guild);
  for (const channel of channels) addChannel(state, guild, channel);
  return guild;
}

export function addChannel(
  state: State,
  guild: Guild,
  options: { id: string; name: string; topic?: string; isPrivate?: boolean },
  parentId: string | null = null,
): Channel {
  const { id, name, topic = null, isPrivate = false } = options;
  const thread = parentId === null ? null : { parentId, isPrivate, archived: false, locked: false };
  const position = guild.channels.size;
  const channel = { ...emptyChannel(), id, guildId: guild.id, thread, name, topic, position };
  guild.channels.set(id, channel);
  state.channels.set(id, channel);
  return channel;
}

/** The direct-message channel between the bot and a user, made at first use. */
export function directChannel(state: State, user: User): Channel {
  for (const channel of state.channels.values()) if (channel.recipient?.id === user.id) return channel;
  const channel = { ...emptyChannel(), id: state.snowflake(), name: user.username, recipient: user };
  state.channels.set(channel.id, channel);
  return channel;
}

const emptyChannel = (): Omit<Channel, 'id' | 'name'> => ({
  guildId: null,
  thread: null,
  topic: null,
  position: 0,
  overwrites: [],
  recipient: null,
  messages: new Map(),
});

/** What the bot may do in a channel; everything needed for a direct message. */
export function botPermissionsIn(state: State, channel: Channel): bigint {
  const guild = channel.guildId === null ? undefined : state.guilds.get(channel.guildId);
  const member = guild?.members.get(state.bot.id);
  if (!guild || !member) return botPermissions;
  // A thread has its channel's permissions.
  const { overwrites } = state.channels.get(channel.thread?.parentId ?? '') ?? channel;
  const of = (type: 0 | 1, ids: readonly string[]) =>
    overwrites.filter((overwrite) => overwrite.type === type && ids.includes(overwrite.id));
  const levels = [of(0, [guild.id]), of(0, member.roles), of(1, [state.bot.id])];
  return permissionsIn(permissionsOf(guild, member.roles), levels);
}

/** What members with these roles may do in a guild. */
export const permissionsOf = (guild: Guild, roles: readonly string[]): bigint =>
  [guild.id, ...roles].reduce((bits, id) => bits | (guild.roles.get(id)?.permissions ?? 0n), 0n);
