import type { Database } from '../../../../../src/server/store/engine/database.ts';

/** The links of project `p`, by member. */
export async function storedLinks(
  db: Database,
): Promise<{ memberId: string; playerId: number; isProven: boolean }[]> {
  const rows = await db.selectFrom('player_link').selectAll().orderBy('member_id').execute();
  return rows.map((row) => ({
    memberId: row.member_id,
    playerId: row.player_id,
    isProven: row.proven === 1,
  }));
}
