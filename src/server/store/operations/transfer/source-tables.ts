import type { SQLiteDatabase } from '../../engine/driver.ts';

/** A table of a store in SQLite. */
export interface SourceTable {
  name: string;
  columns: readonly Column[];
  rows: number;
  /** The last id that SQLite gave to one of its rows; null: its rows have no such ids. */
  lastId: number | null;
}

interface Column {
  name: string;
  /** The type of this column on PostgreSQL. */
  type: string;
}

const postgresTypes: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
};

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The tables of a store, each after those that it refers to. */
export function sourceTables(sqlite: SQLiteDatabase): SourceTable[] {
  return tablesInOrder(sqlite).map((name) => {
    const columns = columnsOf(sqlite, name);
    const rows = sqlite
      .prepare(`SELECT count(*) FROM ${quoted(name)}`)
      .pluck()
      .get() as number;
    return { name, columns, rows, lastId: lastIdOf(sqlite, name, columns) };
  });
}

function tablesInOrder(sqlite: SQLiteDatabase): string[] {
  const names = sqlite
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE 'kysely\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all() as string[];
  const referredTo = sqlite.prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)').pluck();
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    for (const other of referredTo.all(name) as string[]) if (other !== name) add(other);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}

function columnsOf(sqlite: SQLiteDatabase, table: string): Column[] {
  const rows = sqlite.prepare('SELECT name, type FROM pragma_table_info(?)').all(table) as Column[];
  return rows.map(({ name, type }) => {
    const known = postgresTypes[type];
    if (known === undefined) throw new Error(`expected a known type of ${table}.${name}, found ${type}`);
    return { name, type: known };
  });
}

function lastIdOf(sqlite: SQLiteDatabase, table: string, columns: readonly Column[]): number | null {
  if (!columns.some(({ name, type }) => name === 'id' && type === postgresTypes['INTEGER'])) return null;
  const largest = sqlite
    .prepare(`SELECT max(id) FROM ${quoted(table)}`)
    .pluck()
    .get() as number | null;
  // Where ids are never given again, SQLite counts them.
  const counted = sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as
    number | undefined;
  return Math.max(largest ?? 0, counted ?? 0);
}
