import { sql } from 'kysely';
import type { Database } from '../connections.ts';

/**
 * Removes deleted rows from the tables. What they held may stay on the disk until its place is used again, and in the
 * server's write-ahead log and backups for as long as it keeps them.
 * @param unlocked its statements are outside of transactions, as VACUUM must be
 */
export async function vacuum(unlocked: Database): Promise<void> {
  const tables = sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname
  `;
  for (const { name } of (await tables.execute(unlocked)).rows) {
    await sql`VACUUM ${sql.table(name)}`.execute(unlocked);
  }
}
