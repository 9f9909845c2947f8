import { heatKinds } from '../../../../api/heat-maps.ts';
import type { Database } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';
import { countDeaths, nextDeath, weekMs, weekOf } from './heat-cells.ts';

/** For so long squares are kept. */
const cellsKeptMs = 2 * 365 * 86_400_000;
/** With less, a week would not be over when its first deaths expire. */
const leastKeptMs = 2 * weekMs;

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
    const oldCells = keepsPositions ? now - cellsKeptMs : Number.MAX_SAFE_INTEGER;
    await db.deleteFrom('death_cell').where('server_id', '=', id).where('week', '<', oldCells).execute();
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

interface FoldedServer {
  id: string;
  project_id: string;
  kills_kept_ms: number;
}

/**
 * Counts the deaths of each week in squares before its first ones expire. A week may be counted again with fewer deaths or,
 * after an import, with others: then the greatest count of a square stays, so that no death counts twice.
 */
async function foldDeaths(db: Database, server: FoldedServer, now: number): Promise<void> {
  const { id, project_id, kills_kept_ms } = server;
  if (kills_kept_ms < leastKeptMs) return;
  const expired = now - kills_kept_ms;
  for (let at = await nextDeath(db, id, 0, expired); at !== null;) {
    const week = weekOf(at);
    const query = { projectId: project_id, serverId: id, weapon: null, hiddenFrom: Number.MAX_SAFE_INTEGER };
    for (const kind of heatKinds) {
      const cells = await countDeaths(db, { ...query, kind, from: week, until: week + weekMs });
      await keepGreatest(db, { server_id: id, week, kind }, cells);
    }
    at = await nextDeath(db, id, week + weekMs, expired);
  }
}

async function keepGreatest(
  db: Database,
  of: { server_id: string; week: number; kind: (typeof heatKinds)[number] },
  cells: Awaited<ReturnType<typeof countDeaths>>,
): Promise<void> {
  const known = await db
    .selectFrom('death_cell')
    .select(['x', 'z', 'events', 'shared'])
    .where('server_id', '=', of.server_id)
    .where('week', '=', of.week)
    .where('kind', '=', of.kind)
    .execute();
  const before = new Map(known.map(({ x, z, ...cell }) => [`${x}:${z}`, cell]));
  const rows = cells.flatMap(({ x, z, events, isShared }) => {
    const { events: least = 0, shared = 0 } = before.get(`${x}:${z}`) ?? {};
    if (events <= least && Number(isShared) <= shared) return [];
    return [{ ...of, x, z, events: Math.max(events, least), shared: Math.max(Number(isShared), shared) }];
  });
  await upsert(db, { table: 'death_cell', key: ['server_id', 'week', 'kind', 'x', 'z'] }, rows);
}
