import { sql } from 'kysely';
import { rowsOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { derivations } from './derivations.ts';
import { playersOfCharacters } from '../players/metric-sources.ts';
import { compareCopies, type KnownRun, knownRuns, type RunCopy, type RunOutcome } from './run-copies.ts';
import type { RunPlayerRow } from '../../engine/schema/run-figures.ts';
import { type DeathRow, type RunDeaths, saveDeaths } from '../kills/save-deaths.ts';
import { saveRunPlayers } from './run-players.ts';
import { namesOf, replacedBy } from '../../engine/upsert.ts';

export interface RunRow extends RunCopy {
  /** The header's local time, which identifies the run on its server. */
  header: string;
  startedAt: number;
  fileName: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  /** Every player of the run; two rows of one player are joined. */
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
  /** The deaths in this part of the run; `hasAllDeaths`: all deaths of the run. */
  deaths: readonly DeathRow[];
  hasAllDeaths: boolean;
  /** Whether it was read while the log grew. */
  isLive: boolean;
  /** Whether its lines were written just now, although their times say something else. */
  isJustNow: boolean;
}

export interface SavedRuns {
  /** What became of each run, in the order of `runs`. */
  outcomes: RunOutcome[];
  /** The players whose figures have changed. */
  changed: Set<number>;
}

/**
 * Stores copies of runs of a server, except where a better copy is stored already (`compareCopies`), perhaps by
 * another process. Writes only the player rows that differ. To be called in a transaction.
 * @param options the moment, and whether the project keeps positions of deaths
 */
export async function saveRuns(
  tx: Database,
  serverId: string,
  runs: readonly RunRow[],
  { now, keepsPositions }: { now: number; keepsPositions: boolean },
): Promise<SavedRuns> {
  const stored = await knownRuns(
    tx,
    serverId,
    runs.map(({ header }) => header),
  );
  const changed = new Set(stored.size > 0 ? [] : await playersOfFirstRun(tx, serverId));
  const best = new Map<string, KnownRun>(stored);
  const winners = new Map<string, RunRow>();
  const copies: { run: RunRow; wins: boolean }[] = [];
  const outcomes = runs.map((run) => {
    const known = best.get(run.header);
    const { outcome, wins } = compareCopies(run, known);
    // When a followed log is read again, only its last part wins; its deaths arrive part by part.
    if (wins || known?.isCurrent === false) copies.push({ run, wins });
    if (wins) {
      best.set(run.header, { bytes: run.bytes, digest: run.digest, isCurrent: true });
      winners.set(run.header, run);
    }
    return outcome;
  });
  const ids = await saveRunRows(tx, serverId, [...winners.values()], now);
  await saveDeaths(tx, serverId, await deathsOf(tx, serverId, copies, ids), { now, keepsPositions });
  const players = Array.from(winners.values(), (run) => ({
    runId: ids.get(run.header) as number,
    isNew: !stored.has(run.header),
    players: run.players,
  }));
  for (const id of await saveRunPlayers(tx, players)) changed.add(id);
  return { outcomes, changed };
}

/** The deaths in parts of runs. @param ids of the stored runs, by header */
async function deathsOf(
  tx: Database,
  serverId: string,
  copies: readonly { run: RunRow; wins: boolean }[],
  ids: ReadonlyMap<string, number>,
): Promise<RunDeaths[]> {
  const joined = new Map<string, RunDeaths>();
  for (const { run, wins } of copies) {
    const runId = ids.get(run.header) ?? (await findRun(tx, serverId, run.header));
    const isWhole = wins && run.hasAllDeaths;
    const before = isWhole ? undefined : joined.get(run.header);
    joined.set(run.header, {
      runId,
      isWhole: isWhole || before?.isWhole === true,
      isLive: run.isLive && before?.isLive !== false,
      isJustNow: run.isJustNow && before?.isJustNow !== false,
      rows: [...(before?.rows ?? []), ...run.deaths],
    });
  }
  return [...joined.values()];
}

async function findRun(tx: Database, serverId: string, header: string): Promise<number> {
  const { id } = await tx
    .selectFrom('log_run')
    .select('id')
    .where('server_id', '=', serverId)
    .where('header', '=', header)
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The players whose figures change when a server gets its first run: metrics that only players.db has counted so far
 * come from the logs from then on. Empty where the server has runs.
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

const runTypes = {
  header: 'text',
  started_at: 'integer',
  file_name: 'text',
  bytes: 'integer',
  digest: 'text',
  lines: 'integer',
  unread_lines: 'integer',
  off_zone: 'integer',
} as const;

/** Returns the ids of the runs by header. */
async function saveRunRows(
  tx: Database,
  serverId: string,
  runs: readonly RunRow[],
  now: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const names = Object.keys(runTypes);
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
  await eachChunk(values, async (chunk) => {
    const { rows } = await sql<{ id: number; header: string }>`
      INSERT INTO log_run (
        server_id, imported_at, counts_version, ${namesOf(names)}
      )
      SELECT ${serverId}, ${now}, ${derivations.counts}, ${namesOf(names)}
      FROM ${rowsOf('runs', runTypes, chunk)} WHERE true
      ON CONFLICT (server_id, header) DO UPDATE SET
        imported_at = excluded.imported_at, counts_version = excluded.counts_version, ${replacedBy(names)}
      RETURNING id, header
    `.execute(tx);
    for (const row of rows) ids.set(row.header, row.id);
  });
  return ids;
}
