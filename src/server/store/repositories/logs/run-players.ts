import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { joinRunColumns, runColumns, type RunPlayerColumns } from '../../engine/schema/run-figures.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';

type Key = Pick<Stored<'log_run_player'>, 'run_id' | 'player_id'>;
type RunPlayer = Key & RunPlayerColumns;

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
 * Makes the stored rows of runs agree with these, of which those of one player in one run are joined. Only rows that differ are
 * written, whichever process wrote them.
 */
export async function saveRunPlayers(
  tx: Database,
  runIds: readonly number[],
  rows: readonly RunPlayer[],
): Promise<RunPlayerChange[]> {
  const stored = await tx
    .selectFrom('log_run_player')
    .selectAll()
    .where('run_id', 'in', valuesOf('integer', runIds))
    .execute();
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const wanted = new Map<string, RunPlayer>();
  for (const row of rows) {
    const other = wanted.get(keyOf(row));
    wanted.set(keyOf(row), other === undefined ? row : { ...row, ...joinRunColumns(other, row) });
  }
  const written = [...wanted.values()].filter((row) => {
    const had = before.get(keyOf(row));
    return had === undefined || runColumns.some((column) => row[column] !== had[column]);
  });
  const gone = stored.filter((row) => !wanted.has(keyOf(row)));
  await deleteRows(
    tx,
    'log_run_player',
    gone.map(({ run_id, player_id }) => ({ run_id, player_id })),
  );
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, written);
  const change = ({ run_id, player_id }: Key) => ({ runId: run_id, playerId: player_id });
  return [
    ...written.map((now) => ({ ...change(now), had: before.get(keyOf(now)) ?? null, now })),
    ...gone.map((had) => ({ ...change(had), had, now: null })),
  ];
}

const keyOf = ({ run_id, player_id }: Key): string => `${run_id} ${player_id}`;
