import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openWriter } from '../../engine/database.ts';

/**
 * Gives a migrated store the triggers that a new one has, and no others: a backup may come from anywhere, and a trigger
 * is code that runs with each write.
 * @param folder where a new store can be made for comparison
 */
export async function takeOwnTriggers(db: Database, folder: string): Promise<void> {
  const fresh = await openWriter(join(folder, 'new.sqlite'), { busyTimeoutMs: 0, isCopy: true });
  const own = await triggersOf(fresh.db);
  await fresh.close();
  await db.transaction().execute(async (tx) => {
    for (const { name } of await triggersOf(tx)) await sql`DROP TRIGGER ${sql.id(name)}`.execute(tx);
    for (const trigger of own) await sql.raw(trigger.sql).execute(tx);
  });
}

async function triggersOf(db: Database): Promise<{ name: string; sql: string }[]> {
  const { rows } = await sql<{ name: string; sql: string }>`
    SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid
  `.execute(db);
  return rows;
}
