import { valuesOf } from '../../engine/dialect.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
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

/** The rows of a run to be stored. Two rows of one player are joined. */
interface RunPlayers {
  runId: number;
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[];
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

/** Makes the stored rows of runs agree with these. Only rows that differ are written, whichever process wrote them. */
export async function saveRunPlayers(tx: Database, runs: readonly RunPlayers[]): Promise<RunPlayerChange[]> {
  const before = await readRunPlayers(
    tx,
    runs.map(({ runId }) => runId),
  );
  const changes: RunPlayerChange[] = [];
  for (const { runId, players } of runs) {
    const previous = before.get(runId);
    const wanted = new Map<number, RunPlayerColumns>();
    for (const [playerId, row] of players) {
      const other = wanted.get(playerId);
      const own = columnsOfRun(row);
      wanted.set(playerId, other === undefined ? own : joinRunColumns(other, own));
    }
    for (const [playerId, row] of wanted) {
      const had = previous?.get(playerId) ?? null;
      if (had === null || !areEqual(row, had)) changes.push({ runId, playerId, had, now: row });
    }
    for (const [playerId, had] of previous ?? [])
      if (!wanted.has(playerId)) changes.push({ runId, playerId, had, now: null });
  }
  const gone: { run_id: number; player_id: number }[] = [];
  const written: ((typeof gone)[number] & RunPlayerColumns)[] = [];
  for (const { runId: run_id, playerId: player_id, now } of changes) {
    if (now === null) gone.push({ run_id, player_id });
    else written.push({ run_id, player_id, ...now });
  }
  await deleteRows(tx, 'log_run_player', gone);
  await upsert(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, written);
  return changes;
}

/** The stored rows, by run and player. */
async function readRunPlayers(
  tx: Database,
  runIds: readonly number[],
): Promise<Map<number, Map<number, Stored<'log_run_player'>>>> {
  const rows = await tx
    .selectFrom('log_run_player')
    .selectAll()
    .where('run_id', 'in', valuesOf('integer', runIds))
    .execute();
  const runs = groupsOf(rows, ({ run_id }) => run_id);
  return new Map(
    Array.from(runs, ([runId, players]) => [runId, new Map(players.map((row) => [row.player_id, row]))]),
  );
}
