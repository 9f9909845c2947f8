import type { Database, Reader } from '../../engine/database.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';

/** What the bot knows of a member and a role; see `RoleRecord` of the bot. */
interface StoredRole {
  roleId: string;
  memberId: string;
  state: Stored<'member_role'>['state'];
  /** Epoch milliseconds. */
  at: number;
}

export async function readStoredRoles(db: Reader, guildId: string): Promise<StoredRole[]> {
  return await db
    .selectFrom('member_role')
    .select(['role_id as roleId', 'member_id as memberId', 'state', 'at'])
    .where('guild_id', '=', guildId)
    .orderBy('role_id')
    .orderBy('member_id')
    .execute();
}

export async function saveStoredRoles(
  db: Database,
  guildId: string,
  roles: readonly StoredRole[],
): Promise<void> {
  const rows = roles.map(({ roleId: role_id, memberId: member_id, state, at }) => {
    return { guild_id: guildId, role_id, member_id, state, at };
  });
  await upsert(db, { table: 'member_role', key: ['guild_id', 'role_id', 'member_id'] }, rows);
}

export async function deleteStoredRoles(
  db: Database,
  guildId: string,
  roles: readonly Pick<StoredRole, 'roleId' | 'memberId'>[],
): Promise<void> {
  const gone = roles.map(({ roleId: role_id, memberId: member_id }) => {
    return { guild_id: guildId, role_id, member_id };
  });
  await deleteRows(db, 'member_role', gone);
}

export async function deleteStoredRolesOf(db: Database, guildId: string): Promise<void> {
  await db.deleteFrom('member_role').where('guild_id', '=', guildId).execute();
}
