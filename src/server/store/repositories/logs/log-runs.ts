import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import type { RunPlayerRow } from '../../engine/schema/run-figures.ts';
import { upsertOf } from '../../engine/table-rows.ts';
import { type RunDeath, saveDeaths, type SaveOptions } from '../kills/save-deaths.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { LogAge } from './log-age.ts';
import { compareCopies, type RunCopy, type RunKey, type RunOutcome, type RunRest } from './run-copies.ts';
import { type RunPlayerChange, saveRunPlayers } from './run-players.ts';

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
