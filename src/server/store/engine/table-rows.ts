import { type Expression, type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import type { Database } from './database.ts';
import { rowsOf } from './dialect.ts';
import { eachChunk, latestOf } from './each-chunk.ts';
import { typeOfColumn, typesOf } from './schema/create-tables.ts';
import type { ColumnType } from './schema/columns.ts';
import type { Schema } from './schema/schema.ts';

/** A row of a table: its columns by name. */
type Row = Readonly<Record<string, string | number | null | undefined>>;
type Table = keyof Schema;
type Column<Of extends Table> = keyof Schema[Of] & string;

interface Upsert<Of extends Table> {
  table: Of;
  /** The columns of the key by which a stored row is found. */
  key: readonly Column<Of>[];
  /** Assignments to a stored row; null: it stays as it is. Left out: all columns but the key are replaced. */
  set?: RawBuilder<unknown> | null;
}

/** Inserts rows, all with the columns of the first one. */
export async function insertRows<Of extends Table>(
  db: Database,
  table: Of,
  rows: readonly Insertable<Schema[Of]>[],
): Promise<void> {
  await eachChunk(rows, async (chunk) => {
    await insertOf(table, chunk).execute(db);
  });
}

/** Inserts rows, or updates those with the same key. Of several rows with one key, the last counts. */
export async function upsert<Of extends Table>(
  db: Database,
  how: Upsert<Of>,
  rows: readonly Insertable<Schema[Of]>[],
): Promise<void> {
  const latest = latestOf(rows, (row) => JSON.stringify(how.key.map((name) => (row as Row)[name])));
  await eachChunk(latest, async (chunk) => {
    await upsertOf(how, chunk).execute(db);
  });
}

/** The statement that inserts or updates rows. @param rows no two with one key */
export function upsertOf<Of extends Table>(
  { table, key, set }: Upsert<Of>,
  rows: readonly Insertable<Schema[Of]>[],
): RawBuilder<unknown> {
  const replaced = withoutKey(Object.keys(rows[0] ?? {}), key);
  const isKept = set === null || replaced.length === 0;
  const change = isKept ? sql`DO NOTHING` : sql`DO UPDATE SET ${set ?? replacedBy(replaced)}`;
  return sql`${insertOf(table, rows)} ON CONFLICT (${namesOf(key)}) ${change}`;
}

/** SQLite takes `ON` after a SELECT for a join, unless there is a WHERE. */
function insertOf(table: Table, rows: readonly object[]): RawBuilder<unknown> {
  const names = namesOf(Object.keys(rows[0] ?? {}));
  const values = tableRows('rows', rows, typesOf(table));
  return sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${names} FROM ${values} WHERE true`;
}

/** Gives stored rows new values: the columns that are not of the key, by which they are found. */
export async function updateRows<Of extends Table>(
  db: Database,
  { table, key }: Pick<Upsert<Of>, 'table' | 'key'>,
  rows: readonly Updateable<Schema[Of]>[],
): Promise<void> {
  const isNew = (name: string) => sql`${sql.ref(name)} = ${sql.ref(`new.${name}`)}`;
  const isMeant = key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`new.${name}`)}`);
  await eachChunk(rows, async (chunk) => {
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.join(withoutKey(Object.keys(chunk[0] ?? {}), key).map(isNew))}
      FROM ${tableRows('new', chunk, typesOf(table))} WHERE ${sql.join(isMeant, sql` AND `)}
    `.execute(db);
  });
}

/** Deletes rows of a table by all columns of these. */
export async function deleteRows<Of extends Table>(
  db: Database,
  table: Of,
  rows: readonly Updateable<Schema[Of]>[],
): Promise<void> {
  await eachChunk(rows, async (chunk) => {
    const names = namesOf(Object.keys(chunk[0] ?? {}));
    const gone = sql`SELECT ${names} FROM ${tableRows('gone', chunk, typesOf(table))}`;
    await sql`DELETE FROM ${sql.table(table)} WHERE (${names}) IN (${gone})`.execute(db);
  });
}

/**
 * Rows for FROM, as by `rowsOf`. All have the columns of the first one.
 * @param known the types of columns that no table has, or not every table alike: `id`
 */
export function tableRows(
  alias: string,
  rows: readonly object[],
  known: Readonly<Record<string, ColumnType>> = {},
): Expression<unknown> {
  const names = Object.keys(rows[0] ?? {});
  const types = Object.fromEntries(names.map((name) => [name, known[name] ?? typeOfColumn(name)]));
  return rowsOf(
    alias,
    types,
    rows.map((row) => names.map((name) => (row as Row)[name] ?? null)),
  );
}

export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Assignments that give a stored row's columns the values of the row that came. */
export function replacedBy(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
}

const withoutKey = (names: readonly string[], key: readonly string[]): string[] =>
  names.filter((name) => !key.includes(name));
