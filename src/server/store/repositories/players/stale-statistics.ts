import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { letOthersWrite, writeProject } from '../../engine/transactions.ts';
import { upsert } from '../../engine/table-rows.ts';
import { refreshStatistics } from './statistics.ts';

/** Players for one transaction, during which other writers wait. */
const playersAtOnce = 500;

/**
 * Marks the figures of these players as stale, to be computed by `refreshStale` in transactions that are short. An import
 * that changes the same players many times computes their figures once, at its end; the marks are stored, so an
 * interrupted import loses none.
 */
export async function markStale(tx: Database, playerIds: Iterable<number>): Promise<void> {
  const rows = Array.from(playerIds, (player_id) => ({ player_id }));
  await upsert(tx, { table: 'stale_statistics', key: ['player_id'] }, rows);
}

/** Marks the figures of every player of a server's sources as stale. */
export async function markServerStale(tx: Database, serverId: string): Promise<void> {
  await sql`
    INSERT INTO stale_statistics (player_id)
    SELECT player_id FROM character WHERE server_id = ${serverId}
    UNION SELECT player_id FROM log_run ${joinInOrder} log_run_player ON run_id = log_run.id
    WHERE server_id = ${serverId} ON CONFLICT (player_id) DO NOTHING
  `.execute(tx);
}

/** Computes the stale figures, in several transactions of their projects. */
export async function refreshStale(db: Database): Promise<void> {
  for (let stale = await readStale(db); stale !== null; stale = await readStale(db)) {
    const { projectId, ids } = stale;
    await writeProject(db, projectId, async (tx) => {
      // Of several servers that are read for the first time at once, another one may have computed them meanwhile.
      const stillStale = await tx
        .deleteFrom('stale_statistics')
        .where('player_id', 'in', valuesOf('integer', ids))
        .returning('player_id')
        .execute();
      await refreshStatistics(
        tx,
        stillStale.map(({ player_id }) => player_id),
      );
    });
    await letOthersWrite();
  }
}

/** Some players of one project whose figures are stale; null: there are none. */
async function readStale(db: Reader): Promise<{ projectId: string; ids: number[] } | null> {
  const rows = await db
    .selectFrom('stale_statistics')
    .innerJoin('player', 'player.id', 'stale_statistics.player_id')
    .select(['player.id', 'project_id'])
    .limit(playersAtOnce)
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const same = rows.filter(({ project_id }) => project_id === first.project_id);
  return { projectId: first.project_id, ids: same.map(({ id }) => id) };
}
