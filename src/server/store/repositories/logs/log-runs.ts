import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { joinInOrder } from '../../engine/dialect.ts';
import { columnsOfRun, type RunPlayerRow } from '../../engine/schema/run-figures.ts';
import { upsertOf } from '../../engine/table-rows.ts';
import { type RunDeath, saveDeaths, type SaveOptions } from '../kills/save-deaths.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { LogAge } from './log-age.ts';
import {
  compareCopies,
  keyOfRun,
  type KnownRun,
  type RunCopy,
  type RunKey,
  type RunOutcome,
  runsAs,
} from './run-copies.ts';
import { type RunPlayerChange, saveRunPlayers } from './run-players.ts';

export interface RunCounts {
  /** Of every player in it, by the game's id; two rows of one player are joined. */
  rows: ReadonlyMap<string, RunPlayerRow>;
  /** Those that changed since the run was last passed on; `hasAllDeaths`: all of the run. */
  deaths: readonly RunDeath[];
  hasAllDeaths: boolean;
}

/** A run as far as it was read. */
export interface RunToSave extends RunCopy, RunKey, RunCounts, Pick<KnownRun, 'rest'> {
  startedAt: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  age: LogAge;
}

interface RunRow extends RunKey {
  id: number;
}

/**
 * Stores copies of a server's runs, except where a better copy is stored already (`compareCopies`), perhaps by another
 * process. Writes only the player rows that differ.
 * @returns what became of each run, in their order, and the rows of players that were written or deleted
 */
export async function saveRuns(
  tx: Database,
  runs: readonly RunToSave[],
  options: SaveOptions,
): Promise<{ outcomes: RunOutcome[]; changes: RunPlayerChange[] }> {
  const known = await readRuns(tx, runs);
  const best = new Map<string, Pick<KnownRun, 'bytes' | 'digest'>>(known.map((row) => [keyOfRun(row), row]));
  const winners = new Map<string, RunToSave>();
  /** The parts of each winner that have its deaths. */
  const parts = new Map<string, RunToSave[]>();
  const outcomes = runs.map((run) => {
    const key = keyOfRun(run);
    const { outcome, wins } = compareCopies(run, best.get(key));
    if (wins) {
      best.set(key, run);
      winners.set(key, run);
      parts.set(key, run.hasAllDeaths ? [run] : [...(parts.get(key) ?? []), run]);
    }
    return outcome;
  });
  const won = [...winners.values()];
  const saved = await saveRows(tx, won, options.now);
  const ids = new Map([...known, ...saved].map((row) => [keyOfRun(row), row.id]));
  const idOf = (run: RunKey): number => ids.get(keyOfRun(run)) as number;
  const withDeaths = [...parts.values()].flat();
  await saveDeaths(
    tx,
    withDeaths.map((run) => ({ ...run, runId: idOf(run) })),
    options,
  );
  const players = won.flatMap((run) =>
    [...run.rows].flatMap(([gameId, row]) =>
      isPseudonym(gameId)
        ? []
        : [{ run_id: idOf(run), player_id: options.playerOf(gameId), ...columnsOfRun(row) }],
    ),
  );
  const changes = await saveRunPlayers(tx, won.map(idOf), players);
  return { outcomes, changes };
}

async function readRuns(
  tx: Database,
  runs: readonly RunKey[],
): Promise<(RunRow & Pick<KnownRun, 'bytes' | 'digest'>)[]> {
  const { rows } = await sql<RunRow & Pick<KnownRun, 'bytes' | 'digest'>>`
    SELECT id, log_run.server_id AS "serverId", log_run.header, bytes, digest FROM ${runsAs('wanted', runs)}
    ${joinInOrder} log_run ON log_run.server_id = wanted.server_id AND log_run.header = wanted.header
  `.execute(tx);
  return rows;
}

async function saveRows(tx: Database, runs: readonly RunToSave[], now: number): Promise<RunRow[]> {
  if (runs.length === 0) return [];
  const values = runs.map((run) => ({
    server_id: run.serverId,
    header: run.header,
    started_at: run.startedAt,
    bytes: run.bytes,
    digest: run.digest,
    imported_at: now,
    rest: run.rest?.digest ?? null,
    counts_from: run.rest?.countsAfter ?? null,
    off_zone: run.isOffZone === true ? 1 : 0,
  }));
  const saved = upsertOf({ table: 'log_run', key: ['server_id', 'header'] }, values);
  const { rows } = await sql<RunRow>`${saved} RETURNING id, server_id AS "serverId", header`.execute(tx);
  return rows;
}
