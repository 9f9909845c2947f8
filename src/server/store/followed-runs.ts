import { sql } from 'kysely';
import { dayzIdOf } from '../../api/identifiers.ts';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import { derivations } from './derivations.ts';
import { playersOfFirstRun, type RunRow } from './log-runs.ts';
import { joinRunRows, runColumns, type RunPlayerRow, runValues } from './run-figures.ts';

/** `known`: the store has a copy of the run that is at least as long; another one than this it keeps. */
export type FollowedOutcome = 'new' | 'longer' | 'known';

/**
 * Stores how far a run has been followed; of its players only the rows that differ from what is stored are written,
 * whoever wrote them.
 * @param run.players every player of the run; two rows of one player are joined
 * @returns the players whose statistics have changed
 */
export async function saveFollowedRun(
  tx: Database,
  serverId: string,
  run: RunRow,
  now: number,
): Promise<{ changed: Set<number>; outcome: FollowedOutcome }> {
  const changed = new Set(await playersOfFirstRun(tx, serverId));
  const stored = await tx
    .selectFrom('log_run')
    .select(['id', 'bytes', 'digest'])
    .where('server_id', '=', serverId)
    .where('header', '=', run.header)
    .executeTakeFirst();
  if (stored !== undefined) {
    const same = stored.bytes === run.bytes && (stored.digest === run.digest || stored.digest === '');
    if (stored.bytes > run.bytes || (stored.bytes === run.bytes && !same)) {
      return { changed, outcome: 'known' };
    }
  }
  const values = {
    server_id: serverId,
    header: run.header,
    started_at: run.startedAt,
    file_name: run.fileName,
    bytes: run.bytes,
    digest: run.digest,
    lines: run.lines,
    unread_lines: run.unreadLines,
    imported_at: now,
    counts_version: derivations.counts,
    off_zone: run.isOffZone === true ? 1 : 0,
  };
  const { id } = await tx
    .insertInto('log_run')
    .values(values)
    .onConflict((conflict) => conflict.columns(['server_id', 'header']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveDifferences(tx, id, joined(run.players), changed);
  if (stored === undefined) return { changed, outcome: 'new' };
  return { changed, outcome: stored.bytes === run.bytes ? 'known' : 'longer' };
}

async function saveDifferences(
  tx: Database,
  runId: number,
  wanted: ReadonlyMap<number, RunPlayerRow>,
  changed: Set<number>,
): Promise<void> {
  const rows = await tx.selectFrom('log_run_player').selectAll().where('run_id', '=', runId).execute();
  const stored = new Map(rows.map((row) => [row.player_id, row]));
  const gone = [...stored.keys()].filter((id) => !wanted.has(id));
  const differing = [...wanted]
    .map(([id, row]) => [id, ...runValues(row)] as const)
    .filter(([id, ...values]) => {
      const row = stored.get(id);
      return row === undefined || runColumns.some((column, i) => row[column] !== values[i]);
    });
  for (const id of gone) changed.add(id);
  for (const [id] of differing) changed.add(id);
  await eachChunk(gone, async (json) => {
    await sql`
      DELETE FROM log_run_player WHERE run_id = ${runId} AND player_id IN (SELECT value FROM json_each(${json}))
    `.execute(tx);
  });
  const columns = ['player_id', ...runColumns];
  await eachChunk(differing, async (json) => {
    await sql`
      INSERT OR REPLACE INTO log_run_player (run_id, ${sql.join(columns.map((column) => sql.ref(column)))})
      SELECT ${runId}, ${sql.join(columns.map((_, i) => sql`value ->> ${sql.lit(i)}`))} FROM json_each(${json})
    `.execute(tx);
  });
}

function joined(players: RunRow['players']): Map<number, RunPlayerRow> {
  const result = new Map<number, RunPlayerRow>();
  for (const [id, row] of players) {
    const other = result.get(id);
    result.set(id, other === undefined ? row : joinRunRows(row, other));
  }
  return result;
}

/** The stored players with these ids of the game's, as far as there are any. */
export async function findGamePlayers(
  tx: Database,
  projectId: string,
  gameIds: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const wanted = gameIds.map((id) => [id, id.length === 17 ? dayzIdOf(id) : id]);
  await eachChunk(wanted, async (json) => {
    const { rows } = await sql<{ game_id: string; id: number }>`
      SELECT wanted.value ->> 0 AS game_id, player.id
      FROM json_each(${json}) AS wanted
      CROSS JOIN player ON player.project_id = ${projectId} AND player.dayz_id = wanted.value ->> 1
    `.execute(tx);
    for (const { game_id, id } of rows) found.set(game_id, id);
  });
  return found;
}

/** The latest header of a server's runs; null when it has none. */
export async function latestHeader(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<string | null> {
  const { header } = await db
    .selectFrom('log_run')
    .select(({ fn }) => fn.max<string | null>('header').as('header'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow();
  return header;
}
