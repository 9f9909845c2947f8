import type { Database, Reader } from '../../engine/database.ts';

/** Whether no log of the server was read since a restore. */
export async function isRestored(db: Reader, serverId: string): Promise<boolean> {
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
