import {
  ChannelType,
  PermissionFlagsBits,
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
} from 'discord.js';
import type { GuildRoles } from './channels/roles/role-obstacle.ts';

/** Whether everyone in the guild sees a channel. */
export function isForAll(channel: GuildBasedChannel): boolean {
  // Its permissions are those of the channel around it, but only its own members see it.
  if (channel.type === ChannelType.PrivateThread) return false;
  return channel.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
}

/** The roles of a guild, and which of them the bot has. */
export function rolesOf(guild: Guild, me: GuildMember): GuildRoles {
  const roles = guild.roles.cache.map(({ id, name, rawPosition, permissions, managed }) => {
    return { id, name, position: rawPosition, permissions: permissions.bitfield, managed };
  });
  return { guildId: guild.id, roles, own: me.roles.cache.map(({ id }) => id) };
}
