import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { SQLite, type SQLiteDatabase } from '../driver.ts';
import { addFigures, figureTables } from '../add-figures.ts';
import { migrations } from '../migrations.ts';
import { columnOf } from '../schema/create-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { migrationsOfFile, refuseOtherVersion } from '../version.ts';

/** What a store's schema has: `table server` and the statement that makes it. */
type StoreSchema = ReadonlyMap<string, string>;

/**
 * Compares the schema of a store that may come from anywhere with what Outpost's migrations make: a trigger, view, column or index
 * of another's could change what is stored later.
 * @param name of the store, for the error
 * @returns what is not Outpost's; null: nothing
 * @throws StoreError when another version has made it
 */
export async function findForeign(file: string, name: string): Promise<string | null> {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    const found = schemaOf(sqlite);
    // A view in place of a table could run for ever when it is read.
    const view = [...found.keys()].find((entry) => entry.startsWith('view '));
    if (view !== undefined) return `its database has the ${view}, which is not Outpost's`;
    const applied = migrationsOfFile(sqlite);
    refuseOtherVersion(applied, name);
    const migration = applied.at(-1);
    if (migration === undefined || !found.has('table server'))
      return 'its database is not a store of Outpost';
    const own = await schemaAfter(migration);
    for (const [entry, sql] of found) {
      const expected = own.get(entry);
      if (expected === undefined) return `its database has the ${entry}, which is not Outpost's`;
      if (withoutFigures(entry, expected) !== withoutFigures(entry, sql))
        return `the ${entry} of its database is not as Outpost makes it`;
    }
    const missing = [...own.keys()].find((entry) => !found.has(entry) && !isOfNewMetric(entry, found));
    return missing === undefined ? null : `its database lacks the ${missing}`;
  } finally {
    sqlite.close();
  }
}

/** Tables of SQLite's own. Indexes of its own have no statement. */
const ofSqlite = "type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')";

function schemaOf(sqlite: SQLiteDatabase): StoreSchema {
  const rows = sqlite
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND NOT (${ofSqlite})`)
    .all() as { type: string; name: string; sql: string }[];
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(name, sql)]));
}

/** Versions of SQLite differ in blanks and quotes where a table was altered, those of Kysely in its own tables. */
const plain = (name: string, sql: string): string =>
  /^kysely_migration(?:_lock)?$/.test(name) ? '' : withoutBlanks(sql);
const withoutBlanks = (sql: string): string => sql.replaceAll(/["\s]+/g, '');

/** A store of an earlier version lacks the columns of newer metrics, which are added when it is opened (`addFigures`). */
function withoutFigures(entry: string, sql: string): string {
  const figures = Object.entries(figureTables[entry.replace('table ', '')] ?? {});
  return figures.reduce(
    (rest, [column, definition]) =>
      rest.replace(`,${withoutBlanks(columnOf('sqlite', column, definition))}`, ''),
    sql,
  );
}

/** Whether it is the index of a leaderboard that the store lacks with its column. */
function isOfNewMetric(entry: string, schema: StoreSchema): boolean {
  const [, column] = /^index leaderboard_(\w+)$/.exec(entry) ?? [];
  return column !== undefined && !schema.get('table player_stats')?.includes(`,${column}`);
}

async function schemaAfter(migration: string): Promise<StoreSchema> {
  const sqlite = new SQLite(':memory:');
  sqlite.pragma('foreign_keys = OFF');
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations.sqlite } });
    const { error } = await migrator.migrateTo(migration);
    if (error !== undefined) throw error;
    await addFigures(db, 'sqlite');
    return schemaOf(sqlite);
  } finally {
    await db.destroy();
  }
}
