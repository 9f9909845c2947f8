import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { SQLite, type SQLiteDatabase } from '../driver.ts';
import { migrations } from '../migrations.ts';

/** What a store's schema has: `trigger ban_counted_in` and the statement that makes it. */
export type StoreSchema = ReadonlyMap<string, string>;

/** Tables of SQLite's own. Indexes of its own have no statement. */
const ofSqlite = "type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')";

export function schemaOf(sqlite: SQLiteDatabase): StoreSchema {
  const rows = sqlite
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND NOT (${ofSqlite})`)
    .all() as { type: string; name: string; sql: string }[];
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(name, sql)]));
}

/** Versions of SQLite differ in blanks and quotes where a table was altered, those of Kysely in its own tables. */
const plain = (name: string, sql: string): string =>
  /^kysely_migration(?:_lock)?$/.test(name) ? '' : sql.replaceAll(/["\s]+/g, '');

/**
 * Why a schema is not what Outpost's migrations make: a trigger, view, column or index of another's could change what is
 * stored later. Null: it is.
 * @param migration the latest that was applied
 */
export async function foreignIn(schema: StoreSchema, migration: string): Promise<string | null> {
  const own = await schemaAfter(migration);
  for (const [entry, sql] of schema) {
    if (!own.has(entry)) return `its database has the ${entry}, which is not Outpost's`;
    if (own.get(entry) !== sql) return `the ${entry} of its database is not as Outpost makes it`;
  }
  const missing = [...own.keys()].find((entry) => !schema.has(entry));
  return missing === undefined ? null : `its database lacks the ${missing}`;
}

async function schemaAfter(migration: string): Promise<StoreSchema> {
  const sqlite = new SQLite(':memory:');
  sqlite.pragma('foreign_keys = OFF');
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations.sqlite } });
    const { error } = await migrator.migrateTo(migration);
    if (error !== undefined) throw error;
    return schemaOf(sqlite);
  } finally {
    await db.destroy();
  }
}
