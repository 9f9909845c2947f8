import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { type ColumnType, rowsOf } from './dialect.ts';
import { eachChunk, latestOf } from './each-chunk.ts';
import type { Schema } from './schema/schema.ts';

type Value = string | number | null;

/** How rows are stored in a table. */
export interface Upsert {
  table: keyof Schema;
  /** Columns that have the same value in every row. */
  fixed?: Readonly<Record<string, Value>>;
  /** The columns of the rows, in their order. */
  columns: Readonly<Record<string, ColumnType>>;
  /** The columns of the key by which a stored row is found. */
  key: readonly string[];
  /** Assignments to a stored row; without them, all columns but the key are replaced. */
  set?: RawBuilder<unknown>;
}

/** Inserts rows, or updates those with the same key. Of several rows with one key, the last counts. */
export async function upsert(
  db: Database,
  { table, fixed = {}, columns, key, set }: Upsert,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const names = Object.keys(columns);
  const all = [...Object.keys(fixed), ...names];
  const replaced = all.filter((name) => !key.includes(name));
  const insert = sql`INSERT INTO ${sql.table(table)} (${namesOf(all)})`;
  const update = replaced.length === 0 ? sql`DO NOTHING` : sql`DO UPDATE SET ${set ?? replacedBy(replaced)}`;
  const values = sql.join([
    ...Object.values(fixed).map((value) => sql`${value}`),
    ...names.map((name) => sql.ref(`rows.${name}`)),
  ]);
  const keyed = key.map((name) => names.indexOf(name)).filter((index) => index >= 0);
  const latest = latestOf(rows, (row) => JSON.stringify(keyed.map((index) => row[index])));
  await eachChunk(latest, async (chunk) => {
    await sql`
      ${insert} SELECT ${values} FROM ${rowsOf('rows', columns, chunk)} WHERE true
      ON CONFLICT (${namesOf(key)}) ${update}
    `.execute(db);
  });
}

/** Columns, separated by commas. */
export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Assignments that give a stored row's columns the values of the row that came. */
export function replacedBy(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
}
