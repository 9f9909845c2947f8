import { sql, type Kysely, type Migration } from 'kysely';
import type { MigrationSides } from './statements.ts';

/**
 * Gives the table AUTOINCREMENT. Without it, SQLite gives the id of a deleted player who had the highest one to the next new
 * player, who would then be taken for the other one in buttons and alerts that name the id. The table is made anew, as a column
 * cannot become AUTOINCREMENT.
 */
const inSqlite: Migration = {
  async up(db: Kysely<unknown>) {
    const { rows: keys } = await sql<{ foreign_keys: number }>`PRAGMA foreign_keys`.execute(db);
    // Dropping the table would delete the rows that refer to it.
    if (keys[0]?.foreign_keys !== 0) throw new Error('expected foreign keys to be off during migrations');
    const { rows } = await sql<{ sql: string }>`
      SELECT sql FROM sqlite_schema WHERE tbl_name = 'player' AND sql IS NOT NULL ORDER BY rowid
    `.execute(db);
    const [table, ...indexesAndTriggers] = rows.map((each) => each.sql);
    const numbered = table
      ?.replace(/^CREATE TABLE "?player"?/, 'CREATE TABLE new_player')
      .replace('id INTEGER PRIMARY KEY,', 'id INTEGER PRIMARY KEY AUTOINCREMENT,');
    for (const statement of [
      numbered ?? '',
      'INSERT INTO new_player SELECT * FROM player',
      'DROP TABLE player',
      'ALTER TABLE new_player RENAME TO player',
      ...indexesAndTriggers,
    ]) {
      await sql.raw(statement).execute(db);
    }
  },
};

/** PostgreSQL gives no id twice (0030). */
export const playerIdsOnce = { sqlite: inSqlite, postgres: [] } satisfies MigrationSides;
