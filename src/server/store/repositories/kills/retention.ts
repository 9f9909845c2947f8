import type { Database } from '../../engine/database.ts';

/** Deletes deaths that are older than their project keeps, and positions that it no longer keeps. */
export async function deleteOldDeaths(db: Database, now: number): Promise<void> {
  const servers = await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select(['server.id', 'kills_kept_ms', 'kill_positions'])
    .execute();
  for (const { id, kills_kept_ms, kill_positions } of servers) {
    await db
      .deleteFrom('death')
      .where('server_id', '=', id)
      .where('at', '<', now - kills_kept_ms)
      .execute();
    if (kill_positions === 1) continue;
    await db
      .updateTable('death')
      .set({ victim_x: null, victim_z: null, killer_x: null, killer_z: null })
      .where('server_id', '=', id)
      .where(({ or, eb }) => or([eb('victim_x', 'is not', null), eb('killer_x', 'is not', null)]))
      .execute();
  }
}
