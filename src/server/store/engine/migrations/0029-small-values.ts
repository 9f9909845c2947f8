import { dirname } from 'node:path';
import { sql, type Kysely, type Migration } from 'kysely';
import type { SmallValueTable } from '../schema/project-tables.ts';
import { readEarlierValues } from '../sqlite/earlier-values.ts';
import { inPostgres, type MigrationSides } from './statements.ts';

const table = 'CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT';

/** What earlier versions kept to resume Discord's sessions is left behind: the next start logs in anew. */
const sessions = 'discord-sessions:';

/**
 * Tokens and what the bot keeps move into the store. SQLite had them in a file of their own, whose values are copied; the
 * file is removed after this transaction. What a killed restore of an earlier version left in `restored_value` counts
 * instead.
 */
const inSqlite: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(table).execute(db);
    const { rows: restored } = await sql<SmallValueTable>`SELECT key, value FROM restored_value`.execute(db);
    const rows = restored.length > 0 ? restored : readEarlierValues(await folderOf(db));
    const kept = rows.filter((row) => isUnexpired(row) && !row.key.startsWith(sessions));
    await sql`
      INSERT INTO keyv SELECT value ->> 'key', value ->> 'value' FROM json_each(${JSON.stringify(kept)})
    `.execute(db);
    await sql`DROP TABLE restored_value`.execute(db);
  },
};

async function folderOf(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    SELECT file FROM pragma_database_list WHERE name = 'main'
  `.execute(db);
  return dirname(rows[0]?.file ?? '');
}

function isUnexpired({ value }: SmallValueTable): boolean {
  try {
    const { expires } = JSON.parse(value) as { expires?: number | null };
    return typeof expires !== 'number' || expires > Date.now();
  } catch {
    // Keyv cannot read it either.
    return true;
  }
}

/** The table that @keyv/postgres made is taken over. */
const onPostgres = [
  inPostgres(table).replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'),
  `DELETE FROM keyv
    WHERE value IS NULL OR starts_with(key, '${sessions}')
      OR (value::json ->> 'expires')::numeric < extract(epoch FROM now()) * 1000`,
  `ALTER TABLE keyv ALTER COLUMN key TYPE text COLLATE "C", ALTER COLUMN value TYPE text COLLATE "C",
    ALTER COLUMN value SET NOT NULL`,
  'DROP TABLE restored_value',
];

export const smallValues = { sqlite: inSqlite, postgres: onPostgres } satisfies MigrationSides;
