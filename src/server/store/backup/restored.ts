import type { Database } from '../database.ts';
import { rowsOf } from '../dialect.ts';
import { eachChunk } from '../engine/each-chunk.ts';
import type { SmallStore } from '../engine/small-store.ts';
import { sql } from 'kysely';

/** Records what Keyv shall hold instead of its present content, for `finishRestore`. */
export async function saveRestoredValues(
  db: Database,
  rows: readonly { key: string; value: string }[],
): Promise<void> {
  await db.deleteFrom('restored_value').execute();
  await eachChunk(
    rows.map(({ key, value }) => [key, value]),
    async (chunk) => {
      await sql`
        INSERT INTO restored_value (key, value)
        SELECT key, value FROM ${rowsOf('restored', { key: 'text', value: 'text' }, chunk)}
      `.execute(db);
    },
  );
}

/**
 * Puts into Keyv what a restore left in the store for it. The restored store takes its place in one step and brings these
 * values along, so a restore that is killed after that step is finished by the next start.
 */
export async function finishRestore(db: Database, small: SmallStore): Promise<void> {
  const rows = await db.selectFrom('restored_value').selectAll().execute();
  if (rows.length === 0) return;
  await small.replaceAll(rows);
  await db.deleteFrom('restored_value').execute();
}

/** Whether no log of the server was read since a restore. */
export async function isRestored(db: Pick<Database, 'selectFrom'>, serverId: string): Promise<boolean> {
  const row = await db
    .selectFrom('restored_server')
    .select('server_id')
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that a server's logs were read to their ends since the restore. */
export async function endRestored(db: Database, serverId: string): Promise<void> {
  await db.deleteFrom('restored_server').where('server_id', '=', serverId).execute();
}
