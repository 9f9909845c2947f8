import { sql } from 'kysely';
import { rowsOf, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import type { Merge } from '../players/merges.ts';
import {
  joinRunValues,
  runColumns,
  runColumnTypes,
  type RunPlayerColumns,
  type RunPlayerRow,
  type RunValues,
  runValues,
} from '../../engine/schema/run-figures.ts';
import { upsert } from '../../engine/upsert.ts';

const columnsOf = (row: RunPlayerColumns): RunValues => runColumns.map((column) => row[column]);
const areEqual = (a: RunValues, b: RunValues): boolean => a.every((value, i) => value === b[i]);

/** The rows of a run to be stored. Two rows of one player are joined. */
export interface RunPlayers {
  runId: number;
  /** Whether no rows of it are stored yet. */
  isNew: boolean;
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
}

/**
 * Makes the stored rows of runs agree with these. Only rows that differ are written, whichever process wrote them.
 * @returns the players whose rows have changed
 */
export async function saveRunPlayers(tx: Database, runs: readonly RunPlayers[]): Promise<Set<number>> {
  const changed = new Set<number>();
  const stored = await readRows(
    tx,
    runs.filter(({ isNew }) => !isNew).map(({ runId }) => runId),
  );
  const differing: (readonly [runId: number, playerId: number, ...RunValues])[] = [];
  const gone: (readonly [runId: number, playerId: number])[] = [];
  for (const { runId, players } of runs) {
    const before = stored.get(runId);
    const wanted = new Map<number, RunValues>();
    for (const [playerId, row] of players) {
      const other = wanted.get(playerId);
      wanted.set(playerId, other === undefined ? runValues(row) : joinRunValues(other, runValues(row)));
    }
    for (const [playerId, values] of wanted) {
      const previous = before?.get(playerId);
      if (previous === undefined || !areEqual(values, previous)) differing.push([runId, playerId, ...values]);
    }
    for (const playerId of before?.keys() ?? []) if (!wanted.has(playerId)) gone.push([runId, playerId]);
  }
  for (const [, playerId] of [...differing, ...gone]) changed.add(playerId);
  await deleteRows(tx, gone);
  await replaceRows(tx, differing);
  return changed;
}

/** Moves the rows of players to those whom they turned out to be, joined where a run has rows of both. */
export async function moveRunPlayers(tx: Database, merges: readonly Merge[]): Promise<void> {
  const into = new Map(merges.map((merge) => [merge.from, merge.into]));
  const ours = new Map<string, RunValues>();
  const theirs: { runId: number; playerId: number; values: RunValues }[] = [];
  await eachChunk([...new Set(merges.flatMap((merge) => [merge.from, merge.into]))], async (chunk) => {
    const rows = await tx
      .selectFrom('log_run_player')
      .selectAll()
      .where('player_id', 'in', valuesOf('integer', chunk))
      .execute();
    for (const row of rows) {
      const { run_id: runId, player_id: own } = row;
      const playerId = into.get(own);
      if (playerId === undefined) ours.set(`${runId} ${own}`, columnsOf(row));
      else theirs.push({ runId, playerId, values: columnsOf(row) });
    }
  });
  if (theirs.length === 0) return;
  const joined = new Map<string, readonly [number, number, ...RunValues]>();
  for (const { runId, playerId, values } of theirs) {
    const key = `${runId} ${playerId}`;
    const other = ours.get(key);
    const both = other === undefined ? values : joinRunValues(other, values);
    ours.set(key, both);
    joined.set(key, [runId, playerId, ...both]);
  }
  await replaceRows(tx, [...joined.values()]);
  await eachChunk([...into.keys()], async (chunk) => {
    await tx.deleteFrom('log_run_player').where('player_id', 'in', valuesOf('integer', chunk)).execute();
  });
}

async function readRows(
  tx: Database,
  runIds: readonly number[],
): Promise<Map<number, Map<number, RunValues>>> {
  const found = new Map<number, Map<number, RunValues>>();
  await eachChunk(runIds, async (chunk) => {
    const rows = await tx
      .selectFrom('log_run_player')
      .selectAll()
      .where('run_id', 'in', valuesOf('integer', chunk))
      .execute();
    for (const row of rows) {
      let players = found.get(row.run_id);
      if (players === undefined) found.set(row.run_id, (players = new Map()));
      players.set(row.player_id, columnsOf(row));
    }
  });
  return found;
}

async function deleteRows(tx: Database, rows: readonly (readonly [number, number])[]): Promise<void> {
  await eachChunk(rows, async (chunk) => {
    await sql`
      DELETE FROM log_run_player
      WHERE (run_id, player_id) IN (SELECT run_id, player_id FROM ${rowsOf('gone', keyTypes, chunk)})
    `.execute(tx);
  });
}

const keyTypes = { run_id: 'integer', player_id: 'integer' } as const;

async function replaceRows(tx: Database, rows: readonly (readonly (number | null)[])[]): Promise<void> {
  const columns = { ...keyTypes, ...runColumnTypes };
  await upsert(tx, { table: 'log_run_player', columns, key: Object.keys(keyTypes) }, rows);
}
