import { sql } from 'kysely';
import { systemClock } from '../../../../process/clock.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { letOthersWrite } from '../../engine/in-steps.ts';
import { unflushed, writeProject } from '../../engine/scopes.ts';
import { type Write, writeTogether } from '../../engine/send-together.ts';
import { SliceSize } from '../../engine/slice-size.ts';
import { upserts } from '../../engine/table-rows.ts';
import { readLeaderboardRevision, setLeaderboardRevision } from './leaderboards.ts';
import { refreshStatistics } from './statistics.ts';

const firstPlayers = 200;
/** Players that are read at once, and the most for one transaction. */
const maxPlayers = 50_000;
/** The fewest for one transaction: its seven round trips take their time whatever is in it. */
const minPlayers = 20;

/**
 * Marks the figures of these players as stale, to be computed by `refreshStale` in transactions that are short. An import
 * that changes the same players many times computes their figures once, at its end; the marks are stored, so an
 * interrupted import loses none.
 */
export async function markStale(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await writeTogether(tx, staleMarks(playerIds));
}

/** The statements of `markStale`, to be sent together with others. */
export function staleMarks(playerIds: Iterable<number>): Write[] {
  const rows = Array.from(playerIds, (player_id) => ({ player_id }));
  return upserts({ table: 'stale_statistics', key: ['player_id'] }, rows);
}

/** Marks the figures of every player of a server's sources as stale, after a metric was given another source. */
export async function markServerStale(tx: Database, serverId: string): Promise<void> {
  await writeTogether(tx, [serverMarks(serverId)]);
}

/** The statement of `markServerStale`, to be sent together with others. */
export const serverMarks = (serverId: string): Write => ({
  statement: sql`
    INSERT INTO stale_statistics (player_id)
    SELECT player_id FROM character WHERE server_id = ${serverId}
    UNION SELECT player_id FROM log_run ${joinInOrder} log_run_player ON run_id = log_run.id
    WHERE server_id = ${serverId} ON CONFLICT (player_id) DO NOTHING
  `,
});

/**
 * Computes the stale figures, in several transactions of their projects. Leaderboards change with the last one: services
 * compute them anew then, and not after each, which would keep their callers waiting.
 */
export async function refreshStale(db: Database, monotonic = systemClock.monotonic): Promise<void> {
  // The cost of a player varies a thousandfold.
  const players = new SliceSize(db, { first: firstPlayers, most: maxPlayers, least: minPlayers });
  for (let isRest = false; !isRest;) {
    const stale = await readStale(db);
    isRest = [...stale.values()].reduce((sum, rows) => sum + rows.length, 0) < maxPlayers;
    for (const [projectId, rows] of stale) {
      const ids = rows.map(({ id }) => id);
      while (ids.length > 0) {
        const some = ids.splice(0, players.current);
        let begunAt = 0;
        // The last one flushes, and with it all before it.
        await writeProject(ids.length > 0 ? unflushed(db) : db, projectId, async (tx) => {
          begunAt = monotonic();
          const revision = await readLeaderboardRevision(tx, projectId);
          await refreshStatistics(tx, some);
          const refreshed = tx
            .deleteFrom('stale_statistics')
            .where('player_id', 'in', valuesOf('integer', some));
          await refreshed.execute();
          await setLeaderboardRevision(tx, projectId, ids.length > 0 ? revision : revision + 1);
        });
        players.took(some.length, monotonic() - begunAt);
        if (ids.length > 0) await letOthersWrite();
      }
    }
  }
}

/** Players whose figures are stale, by project; `maxPlayers` at most. */
async function readStale(db: Reader) {
  const rows = await db
    .selectFrom('stale_statistics')
    .innerJoin('player', 'player.id', 'stale_statistics.player_id')
    .select(['player.id', 'project_id'])
    .limit(maxPlayers)
    .execute();
  return groupsOf(rows, ({ project_id }) => project_id);
}
