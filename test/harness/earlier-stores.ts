import { rmSync } from 'node:fs';
import { SQLite, type SQLiteDatabase } from '../../src/server/store/engine/driver.ts';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { migrations } from '../../src/server/store/engine/migrations/index.ts';

export interface EarlierStore {
  /** Its latest migration. */
  name: string;
  bytes: Buffer;
  rows: TableRows;
}

type Row = Record<string, string | number | null>;
export type TableRows = Record<string, Row[]>;

/**
 * A store at each migration, as the versions of Outpost in between had it: each table gets rows as soon as it exists, and
 * they go through the migrations that follow.
 * @param file path of a file to work with, which is deleted
 */
export async function makeEarlierStores(file: string): Promise<EarlierStore[]> {
  const stores: EarlierStore[] = [];
  const known = new Set<string>();
  const sqlite = new SQLite(file);
  sqlite.pragma('foreign_keys = OFF');
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    for (const name of Object.keys(migrations)) {
      const { error } = await migrator.migrateTo(name);
      if (error !== undefined) throw error;
      // The first release began with tables.
      if (tablesOf(sqlite).length === 0) continue;
      for (const table of tablesOf(sqlite)) {
        if (!known.has(table) && rowsOf(sqlite, table).length === 0) fill(sqlite, table);
        known.add(table);
      }
      stores.push({ name, bytes: sqlite.serialize(), rows: allRows(sqlite) });
    }
  } finally {
    await db.destroy();
    rmSync(file, { force: true });
  }
  return stores;
}

/** The tables' rows in a store's file. */
export function rowsIn(file: string): TableRows {
  const sqlite = new SQLite(file, { fileMustExist: true });
  try {
    return allRows(sqlite);
  } finally {
    sqlite.close();
  }
}

const allRows = (sqlite: SQLiteDatabase): TableRows =>
  Object.fromEntries(tablesOf(sqlite).map((table) => [table, rowsOf(sqlite, table)]));

const rowsOf = (sqlite: SQLiteDatabase, table: string): Row[] =>
  sqlite.prepare(`SELECT * FROM "${table}" ORDER BY 1`).all() as Row[];

function tablesOf(sqlite: SQLiteDatabase): string[] {
  const select = sqlite.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'kysely_*' ORDER BY rowid",
  );
  return select.pluck().all() as string[];
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

const json: Record<string, string> = {
  support: '{"title":"Northwood"}',
  scopes: '["servers:read"]',
  weekdays: '[]',
  server_ids: '["id 0"]',
  examples: '["12:00:00 | a line"]',
  last: '{"infected":3,"longest_survivor_hit":9}',
  total: '{"infected":5,"longest_survivor_hit":12}',
  tally: '{"kills":1}',
  checkpoint: '{"digest":{"bytes":10,"crc":1}}',
  marks: '[]',
  report: '{"players":3}',
};

function fill(sqlite: SQLiteDatabase, table: string): void {
  const columns = sqlite.pragma(`table_info("${table}")`) as Column[];
  const keys = sqlite.pragma(`foreign_key_list("${table}")`) as {
    from: string;
    table: string;
    to: string | null;
  }[];
  for (const number of [0, 1]) {
    const values = columns.map(({ name, type, notnull, dflt_value }) => {
      const key = keys.find(({ from }) => from === name);
      if (key !== undefined) return referenced(sqlite, key, number);
      if (json[name] !== undefined) return json[name];
      if (dflt_value !== null) return /^'(.*)'$/.exec(dflt_value)?.[1] ?? Number(dflt_value);
      if (['lifted_at', 'error', 'error_at', 'revoked_at'].includes(name) && notnull === 0) return null;
      if (type === 'REAL') return 12.5 + number;
      if (type === 'INTEGER') return name.endsWith('_at') ? 1_700_000_000_000 + number : 1 + number;
      return `${name} ${number}`;
    });
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    sqlite
      .prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...values);
  }
}

function referenced(
  sqlite: SQLiteDatabase,
  { table, from, to }: { table: string; from: string; to: string | null },
  number: number,
): string | number | null {
  const rows = rowsOf(sqlite, table);
  const key = (sqlite.pragma(`table_info("${table}")`) as Column[]).find(({ pk }) => pk === 1);
  const column = to ?? (rows[0]?.[from] === undefined ? key?.name : from);
  return rows[number]?.[column ?? ''] ?? null;
}
