import { sql, type SqlBool } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { inSteps, stepRows } from '../../engine/in-steps.ts';
import { inProject } from '../../engine/scopes.ts';

/**
 * Deletes deaths that are older than their project keeps, and positions that it no longer keeps, some thousands at a
 * time; the next call continues.
 */
export async function deleteOldDeaths(db: Database, now: number): Promise<void> {
  const servers = await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select(['server.id', 'project_id', 'kills_kept_ms', 'kill_positions'])
    // A statement that deletes nothing would wait for other writers as well.
    .where(
      sql<SqlBool>`
      EXISTS (SELECT 1 FROM death WHERE server_id = server.id AND at < ${now} - kills_kept_ms)
      OR (kill_positions = 0 AND EXISTS (
        SELECT 1 FROM death WHERE server_id = server.id AND (victim_x IS NOT NULL OR killer_x IS NOT NULL)
      ))
    `,
    )
    .execute();
  for (const { id, project_id, kills_kept_ms, kill_positions } of servers) {
    const own = inProject(db, project_id);
    await inSteps(async () => {
      const { numAffectedRows } = await sql`
        DELETE FROM death WHERE id IN (
          SELECT id FROM death WHERE server_id = ${id} AND at < ${now - kills_kept_ms} LIMIT ${stepRows}
        )
      `.execute(own);
      return Number(numAffectedRows ?? 0);
    });
    if (kill_positions === 0) await inSteps(() => deletePositions(own, id));
  }
}

async function deletePositions(db: Database, serverId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE death SET victim_x = NULL, victim_z = NULL, killer_x = NULL, killer_z = NULL WHERE id IN (
      SELECT id FROM death
      WHERE server_id = ${serverId} AND (victim_x IS NOT NULL OR killer_x IS NOT NULL) LIMIT ${stepRows}
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
