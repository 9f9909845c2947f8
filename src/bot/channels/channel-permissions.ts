import { OverwriteType, PermissionFlagsBits, type APIOverwrite, type APIRole } from 'discord.js';

/** A member of a guild, for its permissions. */
interface Member {
  id: string;
  roles: readonly string[];
  guildId: string;
  isOwner: boolean;
}

const all = Object.values(PermissionFlagsBits).reduce((bits, bit) => bits | bit, 0n);

/**
 * A member's permissions in a channel: those of all roles, then the overwrites of @everyone, of the roles together, and
 * of the member. discord.js computes them for a connected bot only. Source: Discord's documentation, Permissions.
 */
export function permissionsIn(
  guildRoles: readonly Pick<APIRole, 'id' | 'permissions'>[],
  overwrites: readonly APIOverwrite[],
  { id, roles, guildId, isOwner }: Member,
): bigint {
  const own = new Set([guildId, ...roles]);
  const base = guildRoles
    .filter((role) => own.has(role.id))
    .reduce((bits, role) => bits | BigInt(role.permissions), 0n);
  if (isOwner || (base & PermissionFlagsBits.Administrator) !== 0n) return all;
  const ofRoles = overwrites.filter(
    ({ id, type }) => type === OverwriteType.Role && id !== guildId && own.has(id),
  );
  const levels = [
    overwrites.filter((overwrite) => overwrite.id === guildId),
    ofRoles,
    overwrites.filter((overwrite) => overwrite.type === OverwriteType.Member && overwrite.id === id),
  ];
  const granted = levels.reduce((bits, level) => {
    const deny = level.reduce((sum, overwrite) => sum | BigInt(overwrite.deny), 0n);
    const allow = level.reduce((sum, overwrite) => sum | BigInt(overwrite.allow), 0n);
    return (bits & ~deny) | allow;
  }, base);
  // Without View Channel nothing else is granted.
  return (granted & PermissionFlagsBits.ViewChannel) === 0n ? 0n : granted;
}

/** The permissions that a message takes, by the name under which Discord shows them. */
const messagePermissions = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Attach Files': PermissionFlagsBits.AttachFiles,
  'Manage Threads': PermissionFlagsBits.ManageThreads,
  'Mention Everyone': PermissionFlagsBits.MentionEveryone,
} as const;

export type MessagePermission = keyof typeof messagePermissions;

export function lacks(permissions: bigint, name: MessagePermission): boolean {
  return (permissions & messagePermissions[name]) === 0n;
}
