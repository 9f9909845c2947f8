import { sql } from 'kysely';
import { eachChunk } from './chunks.ts';
import type { Database } from './database.ts';

/** The stamps with which a server's files were read, by path. */
export async function readStamps(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('log_file')
    .select(['path', 'stamp'])
    .where('server_id', '=', serverId)
    .execute();
  return new Map(rows.map(({ path, stamp }) => [path, stamp]));
}

/** Remembers the stamps of files that were read, and forgets those of files that are gone. */
export async function saveStamps(
  db: Database,
  serverId: string,
  read: ReadonlyMap<string, string>,
  gone: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await eachChunk([...read], async (json) => {
      await sql`
        INSERT OR REPLACE INTO log_file (server_id, path, stamp, position, skipping, lines, unread_lines, examples)
        SELECT ${serverId}, value ->> 0, value ->> 1, CAST(value ->> 1 AS INTEGER), 0, 0, 0, '[]'
        FROM json_each(${json})
      `.execute(tx);
    });
    await eachChunk(gone, async (json) => {
      await sql`
        DELETE FROM log_file WHERE server_id = ${serverId} AND path IN (SELECT value FROM json_each(${json}))
      `.execute(tx);
    });
  });
}
