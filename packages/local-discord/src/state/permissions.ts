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
 * @param levels the overwrites that concern the member, in this order
 */
export function permissionsIn(base: bigint, levels: readonly (readonly Overwrite[])[]): bigint {
  if (base & permission.Administrator) return allPermissions;
  let result = base;
  for (const overwrites of levels) {
    for (const { deny } of overwrites) result &= ~deny;
    for (const { allow } of overwrites) result |= allow;
  }
  return result & permission.ViewChannel ? result : 0n;
}

/** Whether `granted` holds all of `needed`; an administrator's grant holds everything. */
export function holds(granted: bigint, needed: bigint): boolean {
  return (granted & permission.Administrator) !== 0n || (granted & needed) === needed;
}
