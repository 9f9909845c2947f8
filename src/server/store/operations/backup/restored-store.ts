import { sql } from 'kysely';
import {
  type Database,
  openReader,
  type ReadDatabase,
  type Reader,
  storeFile,
} from '../../engine/database.ts';
import { readAllStoredRoles, replaceStoredRoles } from '../../repositories/member-roles/records.ts';

/** More than any store gives between a backup and its restore. */
const idsBetween = 1_000_000_000;

/**
 * Changes a restored store, before it takes the place of the present one, as what happened since the backup requires. An error
 * ends the restore, and nothing has changed.
 * @param dataFolder with the present store still in place
 */
export async function continueFromNow(db: Database, dataFolder: string): Promise<void> {
  // What was logged between the backup and the restore is read again. It counts, but kill feeds have posted it.
  await db.deleteFrom('restored_server').execute();
  await db
    .insertInto('restored_server')
    .columns(['server_id'])
    .expression(db.selectFrom('server').select('id'))
    .execute();

  // Buttons of messages that were posted since the backup name players by ids, which no other player may get. How many were
  // given since is unknown.
  await sql`DELETE FROM sqlite_sequence WHERE name = 'player'`.execute(db);
  await sql`
    INSERT INTO sqlite_sequence (name, seq) SELECT 'player', coalesce(max(id), 0) + ${idsBetween} FROM player
  `.execute(db);

  // Members have the roles that the bot has given and taken by now, and not those of the backup.
  const roles = await readPresent(dataFolder, readAllStoredRoles);
  if (roles !== null) await replaceStoredRoles(db, roles);
}

/** Reads the store that a restore replaces. Null: it is missing, damaged, or older than a table that is read. */
async function readPresent<T>(dataFolder: string, read: (db: Reader) => Promise<T>): Promise<T | null> {
  let reader: ReadDatabase | undefined;
  try {
    reader = openReader(storeFile(dataFolder));
    return await read(reader.db);
  } catch {
    return null;
  } finally {
    await reader?.close();
  }
}
