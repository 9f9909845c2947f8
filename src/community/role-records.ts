import type { RoleRecord, RoleRecords } from '../commands/member-roles.ts';
import type { Database, Reader } from '../server/store/engine/database.ts';
import {
  deleteStoredRoles,
  deleteStoredRolesOf,
  readGuildsWithRoles,
  readStoredRoles,
  saveStoredRoles,
} from '../server/store/repositories/member-roles/records.ts';

/** What the bot remembers of the roles of a guild. */
export async function readRoleRecords(db: Reader, guildId: string): Promise<RoleRecord[]> {
  const stored = await readStoredRoles(db, guildId);
  return stored.map((row) => ({ ...row, state: row.state as RoleRecord['state'] }));
}

/** What the bot remembers of roles, in the store. */
export function createRoleRecords(db: Database): RoleRecords {
  return {
    guilds: async () => await readGuildsWithRoles(db),
    of: async (guildId) => await readRoleRecords(db, guildId),
    set: async (guildId, records) => await saveStoredRoles(db, guildId, records),
    remove: async (guildId, records) => await deleteStoredRoles(db, guildId, records),
    forget: async (guildId) => await deleteStoredRolesOf(db, guildId),
  };
}
