import { sql } from 'kysely';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import { derivations } from './derivations.ts';
import { playersOfCharacters } from './metric-sources.ts';
import { joinRunPlayers, runColumns, type RunPlayerRow, runValues } from './run-figures.ts';

/** A copy of a run that the store has taken in. */
export interface KnownRun {
  bytes: number;
  /** Hex; empty: unknown. */
  digest: string;
  /** Whether it was counted as logs are counted now. */
  isCurrent: boolean;
}

/** The runs of a server that are in the store, by header. */
export async function knownRuns(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<Map<string, KnownRun>> {
  const rows = await db
    .selectFrom('log_run')
    .select(['header', 'bytes', 'digest', 'counts_version'])
    .where('server_id', '=', serverId)
    .execute();
  return new Map(
    rows.map(({ header, bytes, digest, counts_version }) => [
      header,
      { bytes, digest, isCurrent: counts_version === derivations.counts },
    ]),
  );
}

export interface RunRow {
  /** The header's local time, which names the run on its server. */
  header: string;
  startedAt: number;
  fileName: string;
  bytes: number;
  digest: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
}

/**
 * The players whose figures change because a server has a first run: what only players.db counted so far is counted
 * by the logs from now on. To be called before the run is stored; empty where the server has runs.
 */
export async function playersOfFirstRun(tx: Database, serverId: string): Promise<number[]> {
  const run = await tx
    .selectFrom('log_run')
    .select('id')
    .where('server_id', '=', serverId)
    .limit(1)
    .executeTakeFirst();
  return run === undefined ? await playersOfCharacters(tx, serverId) : [];
}

/**
 * Stores runs of a server, each in place of an earlier, shorter copy of it, or of the same one counted by an earlier
 * version. Where the store has another copy that is as long (another process may have brought it), that one stays.
 * @returns the players whose statistics have changed
 */
export async function saveRuns(
  tx: Database,
  serverId: string,
  runs: readonly RunRow[],
  now: number,
): Promise<Set<number>> {
  const changed = new Set(await playersOfFirstRun(tx, serverId));
  const ids = await saveRunRows(tx, serverId, runs, now);
  await eachChunk([...ids.values()], async (json) => {
    const { rows } = await sql<{ player_id: number }>`
      DELETE FROM log_run_player WHERE run_id IN (SELECT value FROM json_each(${json})) RETURNING player_id
    `.execute(tx);
    for (const row of rows) changed.add(row.player_id);
  });
  const rows = runs.flatMap(({ header, players }) => {
    const runId = ids.get(header);
    return runId === undefined
      ? []
      : players.map(([playerId, row]) => [runId, playerId, ...runValues(row)] as const);
  });
  for (const [, playerId] of rows) changed.add(playerId);
  const columns = ['run_id', 'player_id', ...runColumns];
  await eachChunk(rows, async (json) => {
    await sql`
      INSERT INTO log_run_player (${sql.join(columns.map((column) => sql.ref(column)))})
      SELECT ${sql.join(columns.map((_, i) => sql`value ->> ${sql.lit(i)}`))}
      FROM json_each(${json}) WHERE true
      ON CONFLICT DO UPDATE SET ${joinRunPlayers}
    `.execute(tx);
  });
  return changed;
}

/** Returns the ids of the runs that were stored, by header. */
async function saveRunRows(
  tx: Database,
  serverId: string,
  runs: readonly RunRow[],
  now: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const values = runs.map((run) => [
    run.header,
    run.startedAt,
    run.fileName,
    run.bytes,
    run.digest,
    run.lines,
    run.unreadLines,
    run.isOffZone === true ? 1 : 0,
  ]);
  await eachChunk(values, async (json) => {
    const { rows } = await sql<{ id: number; header: string }>`
      INSERT INTO log_run (
        server_id, header, started_at, file_name, bytes, digest, lines, unread_lines, imported_at, counts_version, off_zone
      )
      SELECT ${serverId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        ${now}, ${derivations.counts}, value ->> 7
      FROM json_each(${json}) WHERE true
      ON CONFLICT (server_id, header) DO UPDATE SET
        started_at = excluded.started_at, file_name = excluded.file_name, bytes = excluded.bytes,
        digest = excluded.digest, lines = excluded.lines, unread_lines = excluded.unread_lines,
        imported_at = excluded.imported_at, counts_version = excluded.counts_version,
        off_zone = excluded.off_zone
      WHERE excluded.bytes > bytes OR (
        excluded.bytes = bytes AND digest IN ('', excluded.digest) AND counts_version < excluded.counts_version
      )
      RETURNING id, header
    `.execute(tx);
    for (const row of rows) ids.set(row.header, row.id);
  });
  return ids;
}

/** The runs of a server whose lines show that the machine's clock is not in the server's zone. */
export async function runsOffZone(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<{ runs: number; latestHeader: string | null }> {
  return await db
    .selectFrom('log_run')
    .select(({ fn }) => [
      fn.countAll<number>().as('runs'),
      fn.max<string | null>('header').as('latestHeader'),
    ])
    .where('server_id', '=', serverId)
    .where('off_zone', '=', sql.lit(1))
    .executeTakeFirstOrThrow();
}
