import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { type ColumnType, rowsOf } from './dialect.ts';
import { chunksOf, eachChunk, latestOf } from './each-chunk.ts';
import type { Schema } from './schema/schema.ts';
import type { Write } from './send-together.ts';

type Value = string | number | null;

interface Upsert {
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
export async function upsert(db: Database, how: Upsert, rows: readonly (readonly Value[])[]): Promise<void> {
  await eachChunk(latestRows(how, rows), async (chunk) => void (await upsertOf(how, chunk).execute(db)));
}

/** The statements that do the same. */
export function upserts(how: Upsert, rows: readonly (readonly Value[])[]): Write[] {
  return chunksOf(latestRows(how, rows)).map((chunk) => ({ statement: upsertOf(how, chunk) }));
}

function latestRows({ columns, key }: Upsert, rows: readonly (readonly Value[])[]) {
  const names = Object.keys(columns);
  const keyed = key.map((name) => names.indexOf(name)).filter((index) => index >= 0);
  return latestOf(rows, (row) => JSON.stringify(keyed.map((index) => row[index])));
}

function upsertOf(
  { table, fixed = {}, columns, key, set }: Upsert,
  rows: readonly (readonly Value[])[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const all = [...Object.keys(fixed), ...names];
  const replaced = all.filter((name) => !key.includes(name));
  const update = replaced.length === 0 ? sql`DO NOTHING` : sql`DO UPDATE SET ${set ?? replacedBy(replaced)}`;
  const values = sql.join([
    ...Object.values(fixed).map((value) => sql`${value}`),
    ...names.map((name) => sql.ref(`rows.${name}`)),
  ]);
  return sql`
    INSERT INTO ${sql.table(table)} (${namesOf(all)})
    SELECT ${values} FROM ${rowsOf('rows', columns, rows)} WHERE true
    ON CONFLICT (${namesOf(key)}) ${update}
  `;
}

/** Columns, separated by commas. */
export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Assignments that give a stored row's columns the values of the row that came. */
export function replacedBy(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
}
