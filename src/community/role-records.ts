import type { RoleRecords } from '../commands/ports/member-roles.ts';
import type { Database } from '../server/store/engine/database.ts';
import {
  deleteStoredRoles,
  deleteStoredRolesOf,
  readGuildsWithRoles,
  readStoredRoles,
  saveStoredRoles,
} from '../server/store/repositories/member-roles/records.ts';

/** What the bot remembers of roles, in the store. */
export function createRoleRecords(db: Database): RoleRecords {
  return {
    guilds: async () => await readGuildsWithRoles(db),
    of: async (guildId) => await readStoredRoles(db, guildId),
    set: async (guildId, records) => await saveStoredRoles(db, guildId, records),
    remove: async (guildId, records) => await deleteStoredRoles(db, guildId, records),
    forget: async (guildId) => await deleteStoredRolesOf(db, guildId),
  };
}
