import type { Database } from '../../engine/database.ts';
import { rowsOf, valuesOf } from '../../engine/dialect.ts';
import { upsert } from '../../engine/table-rows.ts';

/** A player who turned out to be another one. */
export interface Merge {
  from: number;
  into: number;
}

/** The players in merges: those who go, and those who stay. */
export const playersOf = (merges: readonly Merge[]): number[] => [
  ...new Set(merges.flatMap(({ from, into }) => [from, into])),
];

/** Whom each player turned out to be. */
export const targetsOf = (merges: readonly Merge[]): ReadonlyMap<number, number> =>
  new Map(merges.map(({ from, into }) => [from, into]));

/** Merges as a table in FROM. */
export const mergesAs = (alias: string, merges: readonly Merge[]) =>
  rowsOf(
    alias,
    { gone: 'integer', kept: 'integer' },
    merges.map(({ from, into }) => [from, into]),
  );

interface RowOfPlayer {
  player_id: number;
  run_id?: number;
  server_id?: string;
}

/**
 * Moves rows of players to those whom they turned out to be. A player has one row for each run or server.
 * @param join makes one row of two that belong to one run or server
 */
export async function moveRows<Row extends RowOfPlayer>(
  tx: Database,
  table: 'log_run_player' | 'character',
  merges: readonly Merge[],
  join: (mine: Row, other: Row) => Row,
): Promise<void> {
  const into = targetsOf(merges);
  const rows = (await tx
    .selectFrom(table)
    .selectAll()
    .where('player_id', 'in', valuesOf('integer', playersOf(merges)))
    .orderBy('player_id')
    .execute()) as RowOfPlayer[] as Row[];
  const keyOf = ({ player_id, run_id, server_id }: Row): string => `${player_id} ${run_id ?? server_id}`;
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  const moved = new Map<string, Row>();
  for (const row of rows) {
    const player_id = into.get(row.player_id);
    if (player_id === undefined) continue;
    const other = { ...row, player_id };
    const mine = known.get(keyOf(other));
    const one = mine === undefined ? other : join(mine, other);
    known.set(keyOf(one), one);
    moved.set(keyOf(one), one);
  }
  const key =
    table === 'character' ? (['player_id', 'server_id'] as const) : (['player_id', 'run_id'] as const);
  await upsert(tx, { table, key: key as never }, [...moved.values()] as never);
  const gone = valuesOf('integer', [...into.keys()]);
  await tx.deleteFrom(table).where('player_id', 'in', gone).execute();
}
