import { PermissionFlagsBits, type GuildMember, type Role } from 'discord.js';
import { clean } from '../../../embeds/text.ts';

/** Why the bot neither gives nor takes a role, and what the owner can do about it. */
export interface RoleObstacle {
  found: string;
  next: string;
}

/**
 * What a game may never bring anyone, by the name that Discord shows: play time and ranks can be had by patience and by
 * cheating, and a role with one of these is power over others.
 */
const dangerousPermissions = {
  // Over the server as a whole.
  Administrator: PermissionFlagsBits.Administrator,
  'Manage Server': PermissionFlagsBits.ManageGuild,
  'Manage Roles': PermissionFlagsBits.ManageRoles,
  'Manage Channels': PermissionFlagsBits.ManageChannels,
  'Manage Webhooks': PermissionFlagsBits.ManageWebhooks,
  'Manage Expressions': PermissionFlagsBits.ManageGuildExpressions,
  'Manage Events': PermissionFlagsBits.ManageEvents,
  // Over members.
  'Kick Members': PermissionFlagsBits.KickMembers,
  'Ban Members': PermissionFlagsBits.BanMembers,
  'Timeout Members': PermissionFlagsBits.ModerateMembers,
  'Manage Nicknames': PermissionFlagsBits.ManageNicknames,
  'Mute Members': PermissionFlagsBits.MuteMembers,
  'Deafen Members': PermissionFlagsBits.DeafenMembers,
  'Move Members': PermissionFlagsBits.MoveMembers,
  // Over what others write.
  'Manage Messages': PermissionFlagsBits.ManageMessages,
  'Manage Threads': PermissionFlagsBits.ManageThreads,
  'Pin Messages': PermissionFlagsBits.PinMessages,
  // It wakes everyone.
  'Mention Everyone': PermissionFlagsBits.MentionEveryone,
  // It shows what moderators do.
  'View Audit Log': PermissionFlagsBits.ViewAuditLog,
} as const;

/** Why it cannot be known who should have a role. */
export const noProject = 'the Discord server shows no project whose players are known';

export const labelOf = ({ id, name }: Role): string => `role "${clean(name)}" (${id})`;

/** What keeps the bot from giving and taking a role of a guild; null: nothing does. @param me the bot in the guild */
export function roleObstacle(me: GuildMember, roleId: string): RoleObstacle | null {
  const role = me.guild.roles.cache.get(roleId);
  if (role === undefined) {
    return { found: 'the Discord server has no such role', next: 'copy the id of the role anew' };
  }
  if (role.id === me.guild.id) {
    return { found: 'it is @everyone, which everyone has', next: 'name another role' };
  }
  if (role.managed) {
    return {
      found: 'it belongs to an integration, so Discord lets nobody give it',
      next: 'make a role of your own and name that',
    };
  }
  const dangerous = Object.entries(dangerousPermissions)
    .filter(([, bit]) => role.permissions.has(bit, false))
    .map(([name]) => name);
  if (dangerous.length > 0) {
    return {
      found: `it has ${dangerous.join(', ')}, which nobody gets for playing`,
      next: 'switch that off in the settings of the role > Permissions, or name another role',
    };
  }
  if (!me.permissions.has(PermissionFlagsBits.ManageRoles)) {
    return {
      found: 'the bot lacks Manage Roles',
      next: "grant it in the settings of the Discord server > Roles > the bot's role > Permissions",
    };
  }
  const { highest } = me.roles;
  // Discord orders roles of the same position, too, but shows the owner no difference.
  if (highest.rawPosition > role.rawPosition) return null;
  const [above, below] = [clean(highest.name), clean(role.name)];
  return {
    found: `it is not below "${above}", the bot's highest role`,
    next: `move "${above}" above "${below}" in the settings of the Discord server > Roles`,
  };
}
