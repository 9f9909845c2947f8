import { sql } from 'kysely';
import { type Database, openReader, type ReadDatabase, storeFile } from '../../engine/database.ts';
import { latestDeathId } from '../../repositories/kills/deaths.ts';
import {
  readAllStoredRoles,
  replaceStoredRoles,
  type RolesByGuild,
} from '../../repositories/member-roles/records.ts';

interface RestoreStep {
  /**
   * Changes the restored store before it takes the place of the present one. An error ends the restore, and nothing has
   * changed. It gets the data folder that is restored into, with the present store still in place.
   */
  run(db: Database, dataFolder: string): Promise<void>;
}

/** More deaths than any store records between a backup and its restore. */
const idsBetween = 1_000_000_000;

/** What is done to a store between its extraction and its use, in this order. */
export const restoreSteps: readonly RestoreStep[] = [
  {
    // What was logged between the backup and the restore is read again. It counts, but kill feeds have posted it.
    async run(db) {
      await db.deleteFrom('restored_server').execute();
      await db
        .insertInto('restored_server')
        .columns(['server_id'])
        .expression(db.selectFrom('server').select('id'))
        .execute();
    },
  },
  {
    // Ids of deaths are never given again: messages of kill feeds go by them. Those given since the backup are unknown.
    async run(db) {
      const last = await latestDeathId(db);
      await sql`DELETE FROM sqlite_sequence WHERE name = 'death'`.execute(db);
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('death', ${last + idsBetween})`.execute(db);
    },
  },
  {
    // Members have the roles that the bot has given and taken by now, and not those of the backup.
    async run(db, dataFolder) {
      const present = await presentRoles(dataFolder);
      if (present !== null) await replaceStoredRoles(db, present);
    },
  },
];

/** Null: the present store is missing, damaged, or older than roles. */
async function presentRoles(dataFolder: string): Promise<RolesByGuild | null> {
  let reader: ReadDatabase | undefined;
  try {
    reader = openReader(storeFile(dataFolder));
    return await readAllStoredRoles(reader.db);
  } catch {
    return null;
  } finally {
    await reader?.close();
  }
}
