import { type Expression, type Insertable, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { type ColumnType, rowsOf } from './dialect.ts';
import { chunksOf, eachChunk, latestOf } from './each-chunk.ts';
import { typeOfColumn } from './migrations/column-types.ts';
import type { Schema } from './schema/schema.ts';
import type { Write } from './send-together.ts';

/** A row of a table: its columns by name. */
type Row = Readonly<Record<string, string | number | null | undefined>>;

interface Upsert<Table extends keyof Schema> {
  table: Table;
  /** The columns of the key by which a stored row is found. */
  key: readonly (keyof Schema[Table] & string)[];
  /** Assignments to a stored row; without them, all columns but the key are replaced. */
  set?: RawBuilder<unknown>;
}

/** Inserts rows, or updates those with the same key. Of several rows with one key, the last counts. */
export async function upsert<Table extends keyof Schema>(
  db: Database,
  how: Upsert<Table>,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  await eachChunk(latestRows(how, rows), async (chunk) => void (await upsertOf(how, chunk).execute(db)));
}

/** The statements that do the same. */
export function upserts<Table extends keyof Schema>(
  how: Upsert<Table>,
  rows: readonly Insertable<Schema[Table]>[],
): Write[] {
  return chunksOf(latestRows(how, rows)).map((chunk) => ({ statement: upsertOf(how, chunk) }));
}

function latestRows<Table extends keyof Schema, Some extends Insertable<Schema[Table]>>(
  { key }: Upsert<Table>,
  rows: readonly Some[],
): Some[] {
  return latestOf(rows, (row) => JSON.stringify(key.map((name) => (row as Row)[name])));
}

/** The same in one statement. @param rows no two with one key */
export function upsertOf<Table extends keyof Schema>(
  { table, key, set }: Upsert<Table>,
  rows: readonly Insertable<Schema[Table]>[],
): RawBuilder<unknown> {
  const names = Object.keys(rows[0] ?? {});
  const replaced = names.filter((name) => !key.some((column) => column === name));
  const update = replaced.length === 0 ? sql`DO NOTHING` : sql`DO UPDATE SET ${set ?? replacedBy(replaced)}`;
  return sql`
    INSERT INTO ${sql.table(table)} (${namesOf(names)})
    SELECT ${namesOf(names)} FROM ${tableRows('rows', rows)} WHERE true
    ON CONFLICT (${namesOf(key)}) ${update}
  `;
}

/**
 * Rows for FROM, as by `rowsOf`. All have the columns of the first one.
 * @param others the types of columns that no table of the store has
 */
export function tableRows(
  alias: string,
  rows: readonly Row[],
  others: Readonly<Record<string, ColumnType>> = {},
): Expression<unknown> {
  const names = Object.keys(rows[0] ?? {});
  const types = Object.fromEntries(names.map((name) => [name, others[name] ?? typeOfColumn(name)]));
  return rowsOf(
    alias,
    types,
    rows.map((row) => names.map((name) => row[name] ?? null)),
  );
}

/** Columns, separated by commas. */
export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Assignments that give a stored row's columns the values of the row that came. */
export function replacedBy(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
}
