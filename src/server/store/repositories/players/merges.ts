import type { Database } from '../../engine/database.ts';
import { rowsOf, valuesOf } from '../../engine/dialect.ts';
import { insertRows } from '../../engine/table-rows.ts';

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
  const ids = valuesOf('integer', playersOf(merges));
  const rows = (await tx
    .selectFrom(table)
    .selectAll()
    .where('player_id', 'in', ids)
    .orderBy('player_id')
    .execute()) as RowOfPlayer[] as Row[];
  const joined = new Map<string, Row>();
  for (const row of rows) {
    const moved = { ...row, player_id: into.get(row.player_id) ?? row.player_id };
    const key = `${moved.player_id} ${row.run_id ?? row.server_id}`;
    const mine = joined.get(key);
    joined.set(key, mine === undefined ? moved : join(mine, moved));
  }
  await tx.deleteFrom(table).where('player_id', 'in', ids).execute();
  await insertRows(tx, table, [...joined.values()] as never);
}
