import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk, groupsOf, readInChunks } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { type Merge, playersOf, targetsOf } from '../players/merges.ts';
import {
  columnsOfRun,
  joinRunColumns,
  runColumns,
  type RunPlayerColumns,
  type RunPlayerRow,
} from '../../engine/schema/run-figures.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';

const areEqual = (a: RunPlayerColumns, b: RunPlayerColumns): boolean =>
  runColumns.every((column) => a[column] === b[column]);

/** The rows of a run to be stored. Two rows of one player are joined. */
interface RunPlayers {
  runId: number;
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
}

type StoredRunPlayer = RunPlayerColumns & { run_id: number; player_id: number };

/**
 * Makes the stored rows of runs agree with these. Only rows that differ are written, whichever process wrote them.
 * @returns the players whose rows were written or deleted
 */
export async function saveRunPlayers(tx: Database, runs: readonly RunPlayers[]): Promise<Set<number>> {
  const before = await readRunPlayers(
    tx,
    runs.map(({ runId }) => runId),
  );
  const changed = new Set<number>();
  const differing: StoredRunPlayer[] = [];
  const gone: { run_id: number; player_id: number }[] = [];
  for (const { runId, players } of runs) {
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
      changed.add(playerId);
    }
    for (const playerId of previous?.keys() ?? []) {
      if (wanted.has(playerId)) continue;
      gone.push({ run_id: runId, player_id: playerId });
      changed.add(playerId);
    }
  }
  await deleteRows(tx, 'log_run_player', gone);
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, differing);
  return changed;
}

/** The stored rows, by run and player. */
async function readRunPlayers(
  tx: Database,
  runIds: readonly number[],
): Promise<Map<number, Map<number, RunPlayerColumns>>> {
  const all = tx.selectFrom('log_run_player').selectAll();
  const rows = await readInChunks(
    runIds,
    async (chunk) => await all.where('run_id', 'in', valuesOf('integer', chunk)).execute(),
  );
  const runs = groupsOf(rows, ({ run_id }) => run_id);
  return new Map(
    Array.from(runs, ([runId, players]) => [runId, new Map(players.map((row) => [row.player_id, row]))]),
  );
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
