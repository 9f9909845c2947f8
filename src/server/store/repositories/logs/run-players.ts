import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk, readInChunks } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { type Merge, playersOf, targetsOf } from '../players/merges.ts';
import {
  columnsOfRun,
  joinRunColumns,
  runColumns,
  type RunPlayerColumns,
  type RunPlayerRow,
} from '../../engine/schema/run-figures.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';

const areEqual = (a: RunPlayerColumns, b: RunPlayerColumns): boolean =>
  runColumns.every((column) => a[column] === b[column]);

/** What became of a player's row in a run. */
export interface RunPlayerChange {
  runId: number;
  playerId: number;
  /** Null: there was none. */
  had: Stored<'log_run_player'> | null;
  /** Null: it was deleted. */
  now: RunPlayerColumns | null;
}

/**
 * Makes the stored rows of a run agree with these, whichever process wrote them. Only rows that differ are written.
 * @param players two rows of one player are joined
 */
export async function saveRunPlayers(
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

/** Moves the rows of players to those whom they turned out to be, joined where a run has rows of both. */
export async function moveRunPlayers(tx: Database, merges: readonly Merge[]): Promise<void> {
  const into = targetsOf(merges);
  const ours = new Map<string, Stored<'log_run_player'>>();
  const theirs: Stored<'log_run_player'>[] = [];
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
  const joined = new Map<string, Stored<'log_run_player'>>();
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

const keyOf = ({ run_id, player_id }: Stored<'log_run_player'>): string => `${run_id} ${player_id}`;
