/** The permission bits that matter here (Discord: Permissions). */
export const permission = {
  administrator: 1n << 3n,
  banMembers: 1n << 2n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readMessageHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  manageRoles: 1n << 28n,
  useApplicationCommands: 1n << 31n,
  manageThreads: 1n << 34n,
  sendMessagesInThreads: 1n << 38n,
} as const;

/** Every bit that Discord had defined when this was written; what an administrator has. */
const allPermissions = (1n << 53n) - 1n;

/** What @everyone may do in a new guild here. */
export const memberPermissions =
  permission.viewChannel |
  permission.sendMessages |
  permission.sendMessagesInThreads |
  permission.embedLinks |
  permission.attachFiles |
  permission.readMessageHistory |
  permission.useApplicationCommands;

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
  if (base & permission.administrator) return allPermissions;
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
  return result & permission.viewChannel ? result : 0n;
}

/** Whether `granted` holds all of `needed`; an administrator's grant holds everything. */
export function holds(granted: bigint, needed: bigint): boolean {
  return (granted & permission.administrator) !== 0n || (granted & needed) === needed;
}
