import { SQLite, type SQLiteDatabase } from '../../engine/driver.ts';
import { storable } from '../../engine/storable.ts';
import type { ColumnType } from '../../engine/dialect.ts';

export interface Column {
  name: string;
  type: ColumnType;
}

/** A table of a store in SQLite. */
export interface SourceTable {
  name: string;
  columns: readonly Column[];
  rows: number;
}

type StoredValue = string | number | null;
export type Row = readonly StoredValue[];

export interface Chunk {
  /** As PostgreSQL can store them. */
  rows: Row[];
  /** Which columns' texts were changed for that. */
  changed: Map<Row, number[]>;
}

/** A store in SQLite as it is at one moment. */
export interface Source {
  /** The tables, each after those that it refers to. */
  tables: readonly SourceTable[];
  chunksOf(table: SourceTable): Generator<Chunk>;
  /** The last id that SQLite gave to a row of a table; null: it does not count them. */
  lastIdOf(table: SourceTable): number | null;
  close(): void;
}

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** As much as one statement inserts. */
const chunkRows = 5_000;
const chunkLength = 2_000_000;

/** Opens a migrated store for reading. @throws SQLite's errors */
export function openSource(file: string): Source {
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  // Everything is read in one transaction, so commands beside change nothing in it.
  sqlite.exec('BEGIN');
  return {
    tables: tablesInOrder(sqlite).map((name) => ({
      name,
      columns: columnsOf(sqlite, name),
      rows: sqlite
        .prepare(`SELECT count(*) FROM ${quoted(name)}`)
        .pluck()
        .get() as number,
    })),
    *chunksOf({ name, columns }) {
      const list = columns.map((column) => quoted(column.name)).join(', ');
      const rows = sqlite
        .prepare(`SELECT ${list} FROM ${quoted(name)}`)
        .raw()
        .iterate() as Iterable<StoredValue[]>;
      const names = /^player(_alias)?$/.test(name)
        ? columns.findIndex((column) => column.name === 'name')
        : -1;
      yield* inChunks(rows, names);
    },
    lastIdOf: ({ name, columns }) => lastId(sqlite, name, columns),
    close: () => sqlite.close(),
  };
}

/** PostgreSQL's indexes take 2,704 bytes. No game has names half as long. */
const longestName = 500;

/** @param names the column with names of players; -1: there is none */
function* inChunks(all: Iterable<StoredValue[]>, names: number): Generator<Chunk> {
  let chunk: Chunk = { rows: [], changed: new Map() };
  let length = 0;
  for (const row of all) {
    const stored = row.map((value, column) => {
      const isLong = column === names && typeof value === 'string' && value.length > longestName;
      return storable(isLong ? value.slice(0, longestName) : value) as StoredValue;
    });
    const changed = stored.flatMap((value, column) => (value === row[column] ? [] : [column]));
    if (changed.length > 0) chunk.changed.set(stored, changed);
    chunk.rows.push(stored);
    for (const value of stored) length += typeof value === 'string' ? value.length : 0;
    if (chunk.rows.length < chunkRows && length < chunkLength) continue;
    yield chunk;
    chunk = { rows: [], changed: new Map() };
    length = 0;
  }
  if (chunk.rows.length > 0) yield chunk;
}

function tablesInOrder(sqlite: SQLiteDatabase): string[] {
  const names = sqlite
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE 'kysely\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all() as string[];
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    const referred = sqlite
      .prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)')
      .pluck()
      .all(name) as string[];
    for (const other of referred) if (other !== name) add(other);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}

const columnTypes: Readonly<Record<string, ColumnType>> = { INTEGER: 'integer', REAL: 'real', TEXT: 'text' };

function columnsOf(sqlite: SQLiteDatabase, table: string): Column[] {
  const rows = sqlite.prepare('SELECT name, type FROM pragma_table_info(?)').all(table) as {
    name: string;
    type: string;
  }[];
  return rows.map(({ name, type }) => {
    const known = columnTypes[type];
    if (known === undefined) throw new Error(`expected a known type of ${table}.${name}, found ${type}`);
    return { name, type: known };
  });
}

function lastId(sqlite: SQLiteDatabase, table: string, columns: readonly Column[]): number | null {
  if (!columns.some(({ name, type }) => name === 'id' && type === 'integer')) return null;
  const largest = sqlite
    .prepare(`SELECT max(id) FROM ${quoted(table)}`)
    .pluck()
    .get() as number | null;
  // Where ids are never given again, SQLite counts them.
  const counted = sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as
    number | undefined;
  return Math.max(largest ?? 0, counted ?? 0);
}
