import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { inSteps, stepRows } from '../../engine/in-steps.ts';
import { inProject } from '../../engine/scopes.ts';
import { deleteOldCells, foldDeaths } from './fold-deaths.ts';

/**
 * Deletes deaths that are older than their project keeps, and positions that it no longer keeps, some thousands at a
 * time; the next call continues. Where positions are kept, heat maps have the deaths' squares before.
 */
export async function deleteOldDeaths(db: Database, now: number): Promise<void> {
  const servers = await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select(['server.id', 'project_id', 'kills_kept_ms', 'kill_positions'])
    .execute();
  for (const server of servers) {
    const { id, project_id, kills_kept_ms, kill_positions } = server;
    const own = inProject(db, project_id);
    if (kill_positions === 1) await foldDeaths(db, own, server, now);
    await deleteOldCells(db, own, id, now, kill_positions === 1);
    // Read first: a statement that deletes nothing would wait for the project's other writers as well.
    const deaths = db.selectFrom('death').select('id').where('server_id', '=', id).limit(stepRows);
    const old = deaths.where('at', '<', now - kills_kept_ms);
    await inSteps(async () => {
      const ids = (await old.execute()).map((death) => death.id);
      if (ids.length > 0) await own.deleteFrom('death').where('id', 'in', valuesOf('integer', ids)).execute();
      return ids.length;
    });
    if (kill_positions === 1) continue;
    const placed = deaths.where(({ or, eb }) =>
      or([eb('victim_x', 'is not', null), eb('killer_x', 'is not', null)]),
    );
    await inSteps(async () => {
      const ids = (await placed.execute()).map((death) => death.id);
      const none = { victim_x: null, victim_z: null, killer_x: null, killer_z: null };
      if (ids.length > 0)
        await own.updateTable('death').set(none).where('id', 'in', valuesOf('integer', ids)).execute();
      return ids.length;
    });
  }
}
