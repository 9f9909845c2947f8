import { sql } from 'kysely';
import { joinByIndex, valuesOf } from '../../engine/dialect.ts';
import { eachChunk, readInChunks } from '../../engine/each-chunk.ts';
import type { Write } from '../../engine/send-together.ts';
import type { Database } from '../../engine/database.ts';
import { type Merge, playersOf, targetsOf } from '../players/merges.ts';
import {
  columnsOfRun,
  joinRunColumns,
  runColumns,
  type RunPlayerColumns,
  type RunPlayerRow,
} from '../../engine/schema/run-figures.ts';
import { deletes, upsert, upserts } from '../../engine/table-rows.ts';
import { type RunKey, runsAs } from './run-copies.ts';

const areEqual = (a: RunPlayerColumns, b: RunPlayerColumns): boolean =>
  runColumns.every((column) => a[column] === b[column]);

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
  ${joinByIndex('log_run', sql`log_run.server_id = wanted.server_id AND log_run.header = wanted.header`)}
  ${joinByIndex('log_run_player', sql`log_run_player.run_id = log_run.id`)}
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
  const before = new Map<number, Map<number, RunPlayerColumns>>();
  for (const row of stored) {
    let players = before.get(row.run_id);
    if (players === undefined) before.set(row.run_id, (players = new Map()));
    players.set(row.player_id, row);
  }
  const differing: StoredRunPlayer[] = [];
  const gone: { run_id: number; player_id: number }[] = [];
  for (const { serverId, runId, players } of runs) {
    const previous = before.get(runId);
    const wanted = new Map<number, RunPlayerColumns>();
    for (const [playerId, row] of players) {
      const other = wanted.get(playerId);
      const own = columnsOfRun(row);
      wanted.set(playerId, other === undefined ? own : joinRunColumns(other, own));
    }
    for (const [playerId, row] of wanted) {
      const had = previous?.get(playerId);
      if (had !== undefined && areEqual(row, had)) continue;
      differing.push({ run_id: runId, player_id: playerId, ...row });
      onChange(serverId, playerId);
    }
    for (const playerId of previous?.keys() ?? []) {
      if (wanted.has(playerId)) continue;
      gone.push({ run_id: runId, player_id: playerId });
      onChange(serverId, playerId);
    }
  }
  return [
    ...deletes('log_run_player', gone),
    ...upserts({ table: 'log_run_player', key: ['run_id', 'player_id'] }, differing),
  ];
}

/** Moves the rows of players to those whom they turned out to be, joined where a run has rows of both. */
export async function moveRunPlayers(tx: Database, merges: readonly Merge[]): Promise<void> {
  const into = targetsOf(merges);
  const ours = new Map<string, StoredRunPlayer>();
  const theirs: StoredRunPlayer[] = [];
  const all = tx.selectFrom('log_run_player').selectAll();
  const rows = await readInChunks(
    playersOf(merges),
    async (chunk) => await all.where('player_id', 'in', valuesOf('integer', chunk)).execute(),
  );
  for (const row of rows) {
    const player_id = into.get(row.player_id);
    if (player_id === undefined) ours.set(keyOf(row), row);
    else theirs.push({ ...row, player_id });
  }
  if (theirs.length === 0) return;
  const joined = new Map<string, StoredRunPlayer>();
  for (const row of theirs) {
    const key = keyOf(row);
    const other = ours.get(key);
    const both = other === undefined ? row : { ...row, ...joinRunColumns(other, row) };
    ours.set(key, both);
    joined.set(key, both);
  }
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, [...joined.values()]);
  await eachChunk([...into.keys()], async (chunk) => {
    await tx.deleteFrom('log_run_player').where('player_id', 'in', valuesOf('integer', chunk)).execute();
  });
}

const keyOf = ({ run_id, player_id }: StoredRunPlayer): string => `${run_id} ${player_id}`;
