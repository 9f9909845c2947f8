import type { Database, Reader } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';

/**
 * Stores the restart time of a messages.xml, in minutes from the server's start; null: the file restarts no server.
 */
export async function saveRestartFile(
  db: Database,
  path: string,
  restartMinutes: number | null,
): Promise<void> {
  const row = { path, restart_minutes: restartMinutes };
  await upsert(db, { table: 'restart_file', key: ['path'] }, [row]);
}

/** The restart time of a messages.xml when it was last read; undefined: it has never been read. */
export async function findRestartFile(
  db: Reader,
  path: string,
): Promise<{ restartMinutes: number | null } | undefined> {
  return await db
    .selectFrom('restart_file')
    .select('restart_minutes as restartMinutes')
    .where('path', '=', path)
    .executeTakeFirst();
}
