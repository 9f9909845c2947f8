import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../connections.ts';

/** How long to wait for readers of the log of writes; each reads for a moment. */
const checkpointTries = 100;
const tryAgainMs = 50;

/**
 * SQLite leaves deleted rows in unused parts of its file and in the write-ahead log; the file is written anew without
 * them, and the log is emptied. It needs as much free space as the file has. Other writers wait until it is done, as long as they wait for any;
 * readers do not.
 * @returns false: somebody was reading all the time, so the log of writes still has them
 */
export async function wipeFile(db: Database): Promise<boolean> {
  await sql`VACUUM`.execute(db);
  for (let tries = 0; tries < checkpointTries; tries += 1) {
    const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    if (rows[0]?.busy === 0) return true;
    await sleep(tryAgainMs);
  }
  return false;
}
