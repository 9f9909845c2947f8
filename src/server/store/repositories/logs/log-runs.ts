import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import {
  columnsOfRun,
  joinRunColumns,
  runColumns,
  type RunPlayerColumns,
  type RunPlayerRow,
} from '../../engine/schema/run-figures.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, upsert, upsertOf } from '../../engine/table-rows.ts';
import { type RunDeath, saveDeaths, type SaveOptions } from '../kills/save-deaths.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { LogAge } from './log-age.ts';
import { compareCopies, type RunCopy, type RunKey, type RunOutcome, type RunRest } from './run-copies.ts';

/** What was counted in a run. */
export interface RunCounts {
  /** Of every player in it, by the game's id; two rows of one player are joined. */
  rows: ReadonlyMap<string, RunPlayerRow>;
  /** Those that changed since the run was last passed on; `hasAllDeaths`: all of the run. */
  deaths: readonly RunDeath[];
  hasAllDeaths: boolean;
}

/** A run as far as it was read. */
export interface RunToSave extends RunCopy, RunKey, RunCounts {
  startedAt: number;
  /** Null: it has a header. */
  rest: RunRest | null;
  fileName: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  age: LogAge;
}

/** What became of a player's row in a run. */
export interface RunPlayerChange {
  runId: number;
  playerId: number;
  /** Null: there was none. */
  had: Stored<'log_run_player'> | null;
  /** Null: it was deleted. */
  now: RunPlayerColumns | null;
}

interface SavedRun {
  outcome: RunOutcome;
  /** The rows of players that were written or deleted. */
  changes: RunPlayerChange[];
}

/**
 * Stores a copy of a run in place of the stored one, except where that is better (`compareCopies`); another process may have
 * brought it. Writes only the player rows that differ.
 */
export async function saveRun(tx: Database, run: RunToSave, options: SaveOptions): Promise<SavedRun> {
  const { serverId, age, deaths, hasAllDeaths: isWhole } = run;
  const known = await tx
    .selectFrom('log_run')
    .select(['bytes', 'digest'])
    .where('server_id', '=', serverId)
    .where('header', '=', run.header)
    .executeTakeFirst();
  const { outcome, wins } = compareCopies(run, known);
  if (!wins) return { outcome, changes: [] };
  const runId = await saveRow(tx, run, options.now);
  await saveDeaths(tx, { serverId, runId, isWhole, age, deaths }, options);
  const players = [...run.rows].flatMap(([gameId, row]) =>
    isPseudonym(gameId) ? [] : [[options.playerOf(gameId), row] as const],
  );
  return { outcome, changes: await saveRunPlayers(tx, runId, players) };
}

/** @returns the run's id in the store */
async function saveRow(tx: Database, run: RunToSave, now: number): Promise<number> {
  const row = {
    server_id: run.serverId,
    header: run.header,
    started_at: run.startedAt,
    file_name: run.fileName,
    bytes: run.bytes,
    digest: run.digest,
    lines: run.lines,
    unread_lines: run.unreadLines,
    imported_at: now,
    rest: run.rest?.digest ?? null,
    counts_from: run.rest?.from ?? null,
    off_zone: run.isOffZone === true ? 1 : 0,
  };
  const saved = upsertOf({ table: 'log_run', key: ['server_id', 'header'] }, [row]);
  const { rows } = await sql<{ id: number }>`${saved} RETURNING id`.execute(tx);
  return rows[0]?.id as number;
}

/**
 * Makes the stored rows of a run agree with these, whichever process wrote them. Only rows that differ are written.
 * @param players two rows of one player are joined
 */
async function saveRunPlayers(
  tx: Database,
  runId: number,
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[],
): Promise<RunPlayerChange[]> {
  const stored = await tx.selectFrom('log_run_player').selectAll().where('run_id', '=', runId).execute();
  const before = new Map(stored.map((row) => [row.player_id, row]));
  const wanted = new Map<number, RunPlayerColumns>();
  for (const [playerId, row] of players) {
    const other = wanted.get(playerId);
    const own = columnsOfRun(row);
    wanted.set(playerId, other === undefined ? own : joinRunColumns(other, own));
  }
  const changes: RunPlayerChange[] = [];
  for (const [playerId, now] of wanted) {
    const had = before.get(playerId) ?? null;
    if (had === null || !areEqual(now, had)) changes.push({ runId, playerId, had, now });
  }
  for (const [playerId, had] of before)
    if (!wanted.has(playerId)) changes.push({ runId, playerId, had, now: null });
  const keyed = changes.map(({ playerId, now }) => ({ run_id: runId, player_id: playerId, now }));
  const gone = keyed.flatMap(({ now, ...key }) => (now === null ? [key] : []));
  const written = keyed.flatMap(({ now, ...key }) => (now === null ? [] : [{ ...key, ...now }]));
  await deleteRows(tx, 'log_run_player', gone);
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, written);
  return changes;
}

const areEqual = (a: RunPlayerColumns, b: RunPlayerColumns): boolean =>
  runColumns.every((column) => a[column] === b[column]);
