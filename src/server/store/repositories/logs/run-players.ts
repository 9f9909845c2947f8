import { sql } from 'kysely';
import { joinInOrder, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { chunksOf, eachChunk } from '../../engine/each-chunk.ts';
import type { Write } from '../../engine/send-together.ts';
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
import { upsert, upserts } from '../../engine/upsert.ts';
import { type RunKey, runsAs } from './run-copies.ts';

const columnsOf = (row: RunPlayerColumns): RunValues => runColumns.map((column) => row[column]);
const areEqual = (a: RunValues, b: RunValues): boolean => a.every((value, i) => value === b[i]);

/** The rows of a run to be stored. Two rows of one player are joined. */
interface RunPlayers {
  serverId: string;
  runId: number;
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
}

export type StoredRunPlayer = RunPlayerColumns & { run_id: number; player_id: number };

/** The stored rows of runs, to be passed to `runPlayerWrites`. */
export const storedRunPlayers = (runs: readonly RunKey[]) => sql<StoredRunPlayer>`
  SELECT log_run_player.* FROM ${runsAs('wanted', runs)}
  ${joinInOrder} log_run ON log_run.server_id = wanted.server_id AND log_run.header = wanted.header
  ${joinInOrder} log_run_player ON log_run_player.run_id = log_run.id
`;

/**
 * Makes the stored rows of runs agree with these. Only rows that differ are written, whichever process wrote them.
 * @param stored as `storedRunPlayers` has read them in this transaction
 * @param onChange called for each player whose row is written or deleted
 */
export function runPlayerWrites(
  runs: readonly RunPlayers[],
  stored: readonly StoredRunPlayer[],
  onChange: (serverId: string, playerId: number) => void,
): Write[] {
  const before = new Map<number, Map<number, RunValues>>();
  for (const row of stored) {
    let players = before.get(row.run_id);
    if (players === undefined) before.set(row.run_id, (players = new Map()));
    players.set(row.player_id, columnsOf(row));
  }
  const differing: (readonly [runId: number, playerId: number, ...RunValues])[] = [];
  const gone: (readonly [runId: number, playerId: number])[] = [];
  for (const { serverId, runId, players } of runs) {
    const previous = before.get(runId);
    const wanted = new Map<number, RunValues>();
    for (const [playerId, row] of players) {
      const other = wanted.get(playerId);
      wanted.set(playerId, other === undefined ? runValues(row) : joinRunValues(other, runValues(row)));
    }
    for (const [playerId, values] of wanted) {
      const had = previous?.get(playerId);
      if (had !== undefined && areEqual(values, had)) continue;
      differing.push([runId, playerId, ...values]);
      onChange(serverId, playerId);
    }
    for (const playerId of previous?.keys() ?? []) {
      if (wanted.has(playerId)) continue;
      gone.push([runId, playerId]);
      onChange(serverId, playerId);
    }
  }
  return [
    ...chunksOf(gone).map((chunk) => ({
      statement: sql`
        DELETE FROM log_run_player
        WHERE (run_id, player_id) IN (SELECT run_id, player_id FROM ${rowsOf('gone', keyTypes, chunk)})
      `,
    })),
    ...upserts(rowsOfRuns, differing),
  ];
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
  await upsert(tx, rowsOfRuns, [...joined.values()]);
  await eachChunk([...into.keys()], async (chunk) => {
    await tx.deleteFrom('log_run_player').where('player_id', 'in', valuesOf('integer', chunk)).execute();
  });
}

const keyTypes = { run_id: 'integer', player_id: 'integer' } as const;

const rowsOfRuns = {
  table: 'log_run_player',
  columns: { ...keyTypes, ...runColumnTypes },
  key: Object.keys(keyTypes),
} as const;
