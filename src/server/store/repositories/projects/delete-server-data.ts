import { writeProject } from '../../engine/transactions.ts';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { playersIn, refreshSeen } from '../players/sightings.ts';
import { markStale } from '../players/stale-statistics.ts';

/** Runs per transaction: some thousand rows of players. */
const runsAtOnce = 50;
const rowsAtOnce = 2_000;

/**
 * Deletes a server's rows in the tables that grow, in short transactions. The state of files goes first: if the server
 * returns before the rest is deleted, its files are read again.
 * @returns how many players have figures that are stale now
 */
export async function deleteServerData(
  db: Database,
  { id, projectId }: { id: string; projectId: string },
): Promise<number> {
  const players = new Set<number>();
  await deleteRows(db, 'log_file', 'path', id);
  await db.deleteFrom('players_db').where('server_id', '=', id).execute();
  await eachChunk(await playersIn(db, 'character', id), async (chunk) => {
    await writeProject(db, projectId, async (tx) => {
      await markStale(tx, chunk);
      await sql`DELETE FROM character WHERE server_id = ${id} AND player_id IN ${valuesOf('integer', chunk)}`.execute(
        tx,
      );
    });
    for (const player of chunk) players.add(player);
  });
  for (
    let ids = await deleteRuns(db, projectId, id);
    ids !== null;
    ids = await deleteRuns(db, projectId, id)
  ) {
    for (const player of ids) players.add(player);
  }
  await deleteRows(db, 'server_sample', 'sampled_at', id);
  await eachChunk(await playersIn(db, 'player_alias', id), async (chunk) => {
    await writeProject(db, projectId, async (tx) => {
      await sql`
        DELETE FROM player_alias WHERE server_id = ${id} AND player_id IN ${valuesOf('integer', chunk)}
      `.execute(tx);
      await refreshSeen(tx, chunk);
    });
  });
  return players.size;
}

/** Deletes some runs, with their deaths. @returns the players in them; null: there are no more */
async function deleteRuns(db: Database, projectId: string, serverId: string): Promise<number[] | null> {
  return await writeProject(db, projectId, async (tx) => {
    const runs = await tx
      .selectFrom('log_run')
      .select('id')
      .where('server_id', '=', serverId)
      .limit(runsAtOnce)
      .execute();
    if (runs.length === 0) return null;
    const ids = valuesOf(
      'integer',
      runs.map((run) => run.id),
    );
    const rows = await tx
      .selectFrom('log_run_player')
      .select('player_id')
      .distinct()
      .where('run_id', 'in', ids)
      .execute();
    const players = rows.map(({ player_id }) => player_id);
    await markStale(tx, players);
    // Foreign keys delete their players and deaths with them.
    await tx.deleteFrom('log_run').where('id', 'in', ids).execute();
    return players;
  });
}

async function deleteRows(
  db: Database,
  table: 'log_file' | 'server_sample',
  key: string,
  serverId: string,
): Promise<void> {
  const [rows, column] = [sql.table(table), sql.ref(key)];
  for (let deleted = rowsAtOnce; deleted === rowsAtOnce;) {
    const { numAffectedRows } = await sql`
      DELETE FROM ${rows} WHERE server_id = ${serverId} AND ${column} IN (
        SELECT ${column} FROM ${rows} WHERE server_id = ${serverId} LIMIT ${rowsAtOnce}
      )
    `.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
}
