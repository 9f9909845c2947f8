import { sql } from 'kysely';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import { derivations } from './derivations.ts';
import { playersOfCharacters } from './metric-sources.ts';
import { compareCopies, type KnownRun, knownRuns, type RunCopy, type RunOutcome } from './run-copies.ts';
import type { RunPlayerRow } from './run-figures.ts';
import { saveRunPlayers } from './run-players.ts';

export interface RunRow extends RunCopy {
  /** The header's local time, which names the run on its server. */
  header: string;
  startedAt: number;
  fileName: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  /** Every player of the run; two rows of one player are joined. */
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
}

export interface SavedRuns {
  /** What became of each run, in their order. */
  outcomes: RunOutcome[];
  /** The players whose figures have changed. */
  changed: Set<number>;
}

/**
 * Stores copies of runs of a server, each unless a better copy is known (`compareCopies`), be it from another process.
 * Of their players only the rows that differ are written. To be called in a transaction.
 */
export async function saveRuns(
  tx: Database,
  serverId: string,
  runs: readonly RunRow[],
  now: number,
): Promise<SavedRuns> {
  const changed = new Set(await playersOfFirstRun(tx, serverId));
  const stored = await knownRuns(
    tx,
    serverId,
    runs.map(({ header }) => header),
  );
  const best = new Map<string, KnownRun>(stored);
  const winners = new Map<string, RunRow>();
  const outcomes = runs.map((run) => {
    const { outcome, wins } = compareCopies(run, best.get(run.header));
    if (wins) {
      best.set(run.header, { bytes: run.bytes, digest: run.digest, isCurrent: true });
      winners.set(run.header, run);
    }
    return outcome;
  });
  const ids = await saveRunRows(tx, serverId, [...winners.values()], now);
  const players = Array.from(winners.values(), (run) => ({
    runId: ids.get(run.header) as number,
    isNew: !stored.has(run.header),
    players: run.players,
  }));
  for (const id of await saveRunPlayers(tx, players)) changed.add(id);
  return { outcomes, changed };
}

/**
 * The players whose figures change because a server has a first run: what only players.db counted so far is counted
 * by the logs from now on. Empty where the server has runs.
 */
async function playersOfFirstRun(tx: Database, serverId: string): Promise<number[]> {
  const run = await tx
    .selectFrom('log_run')
    .select('id')
    .where('server_id', '=', serverId)
    .limit(1)
    .executeTakeFirst();
  return run === undefined ? await playersOfCharacters(tx, serverId) : [];
}

/** Returns the ids of the runs by header. */
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
        imported_at = excluded.imported_at, counts_version = excluded.counts_version, off_zone = excluded.off_zone
      RETURNING id, header
    `.execute(tx);
    for (const row of rows) ids.set(row.header, row.id);
  });
  return ids;
}
