import type { Database } from '../../engine/database.ts';
import { deleteOldCells, foldDeaths } from './fold-deaths.ts';

/**
 * Deletes deaths that are older than their project keeps, and positions that it no longer keeps. Where positions are kept,
 * heat maps have the deaths' squares before.
 */
export async function deleteOldDeaths(db: Database, now: number): Promise<void> {
  const servers = await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select(['server.id', 'project_id', 'kills_kept_ms', 'kill_positions'])
    .execute();
  for (const server of servers) {
    const { id, kills_kept_ms, kill_positions } = server;
    const keepsPositions = kill_positions === 1;
    if (keepsPositions) await foldDeaths(db, server, now);
    await deleteOldCells(db, id, now, keepsPositions);
    await db
      .deleteFrom('death')
      .where('server_id', '=', id)
      .where('at', '<', now - kills_kept_ms)
      .execute();
    if (keepsPositions) continue;
    await db
      .updateTable('death')
      .set({ victim_x: null, victim_z: null, killer_x: null, killer_z: null })
      .where('server_id', '=', id)
      .where(({ or, eb }) => or([eb('victim_x', 'is not', null), eb('killer_x', 'is not', null)]))
      .execute();
  }
}
