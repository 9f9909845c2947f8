import { PermissionFlagsBits as permission } from 'discord-api-types/v10';

/** Every bit that Discord had defined when this was written; what an administrator has. */
const allPermissions = (1n << 53n) - 1n;

/** What @everyone may do in a new guild here. */
export const memberPermissions =
  permission.ViewChannel |
  permission.SendMessages |
  permission.SendMessagesInThreads |
  permission.EmbedLinks |
  permission.AttachFiles |
  permission.ReadMessageHistory |
  permission.UseApplicationCommands;

/** What the invitation of such a bot usually grants it. */
export const botPermissions = memberPermissions;

export interface Overwrite {
  /** Role or member id. */
  id: string;
  /** 0 role, 1 member. */
  type: 0 | 1;
  allow: bigint;
  deny: bigint;
}

/**
 * Permissions in a channel: base of all roles, then @everyone's overwrite, the roles' together, the member's own
 * (Discord: Permissions, Permission Overwrites). An administrator has all.
 */
export function permissionsIn(
  base: bigint,
  overwrites: readonly Overwrite[],
  member: { id: string; roles: readonly string[]; guildId: string },
): bigint {
  if (base & permission.Administrator) return allPermissions;
  let result = base;
  const everyone = overwrites.find((overwrite) => overwrite.id === member.guildId);
  if (everyone) result = (result & ~everyone.deny) | everyone.allow;
  let allow = 0n;
  let deny = 0n;
  for (const overwrite of overwrites) {
    if (overwrite.type !== 0 || !member.roles.includes(overwrite.id)) continue;
    allow |= overwrite.allow;
    deny |= overwrite.deny;
  }
  result = (result & ~deny) | allow;
  const own = overwrites.find((overwrite) => overwrite.type === 1 && overwrite.id === member.id);
  if (own) result = (result & ~own.deny) | own.allow;
  return result & permission.ViewChannel ? result : 0n;
}

/** Whether `granted` holds all of `needed`; an administrator's grant holds everything. */
export function holds(granted: bigint, needed: bigint): boolean {
  return (granted & permission.Administrator) !== 0n || (granted & needed) === needed;
}
