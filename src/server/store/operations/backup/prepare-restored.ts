import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import {
  type Database,
  openReader,
  openWriter,
  type ReadDatabase,
  storeFile,
} from '../../engine/database.ts';
import { StoreError } from '../../engine/error.ts';
import { isDamage } from '../../engine/storage-errors.ts';
import { insertRows } from '../../engine/table-rows.ts';
import { applyRights, readStoredRights } from '../../repositories/rights/apply-rights.ts';
import { readRights } from '../../repositories/rights/forgotten-list.ts';
import { flush } from './backup-folder.ts';
import { deleteTokens } from './copy-store.ts';

/** More than any store gives between a backup and its restore. */
const idsBetween = 1_000_000_000;

export interface Prepared {
  /** How many players in the backup were forgotten since, and deleted again. */
  forgotten: number;
  /** The present store is damaged, and so is its list of forgotten players: whoever joined it since the backup is back. */
  isListMissing: boolean;
  /** Throws when somebody was hidden or forgotten since in the present store, as commands do without the folder's lock. */
  requireSameRights: () => Promise<void>;
}

/**
 * Changes a restored store, before it takes the place of the present one, as what happened since the backup requires.
 * @param dataFolder with the present store still in place
 */
export async function prepareRestored(restored: string, dataFolder: string): Promise<Prepared> {
  // A backup of ours has none.
  deleteTokens(restored);
  const present = await readPresent(dataFolder);
  const { db, wipe, close } = await openWriter(restored);
  let forgotten = 0;
  try {
    await continueFromNow(db);
    if (present !== null && present !== 'damaged') {
      // Whoever is forgotten or hidden by now must not come back.
      forgotten = await applyRights(db, present.rights);
      if (present.rights.hashes.length > 0) await wipe();
      // Members have the roles that the bot has given and taken by now, and not those of the backup.
      await db.deleteFrom('member_role').execute();
      await insertRows(db, 'member_role', present.roles);
    }
  } finally {
    await close();
  }
  // Closing the last connection has written the log into the store.
  if (existsSync(`${restored}-wal`))
    throw new StoreError(`could not complete ${restored}. Nothing was changed.`);
  await flush(restored);
  return {
    forgotten,
    isListMissing: present === 'damaged',
    async requireSameRights() {
      const latest = await readPresent(dataFolder);
      if (revisionOf(latest) === revisionOf(present)) return;
      throw new StoreError(
        'players were hidden, shown or forgotten meanwhile: restore the backup again. Nothing was changed.',
      );
    },
  };
}

type Present = Awaited<ReturnType<typeof readPresent>>;

const revisionOf = (present: Present): number | null =>
  present === null || present === 'damaged' ? null : present.revision;

async function continueFromNow(db: Database): Promise<void> {
  // All logs are read again, as history: what they say since the backup counts, but kill feeds have posted it.
  await db.deleteFrom('log_file').execute();

  // Buttons of messages that were posted since the backup name players by ids, which no other player may get. How many were
  // given since is unknown.
  await sql`DELETE FROM sqlite_sequence WHERE name = 'player'`.execute(db);
  await sql`
    INSERT INTO sqlite_sequence (name, seq) SELECT 'player', coalesce(max(id), 0) + ${idsBetween} FROM player
  `.execute(db);
}

/** What a restored store takes from the present one; null: there is none. @throws StoreError when it cannot be read */
async function readPresent(dataFolder: string) {
  const file = storeFile(dataFolder);
  if (!existsSync(file)) return null;
  let reader: ReadDatabase | undefined;
  try {
    reader = openReader(file);
    // First: whatever changes meanwhile has a later one.
    const { revision } = await readRights(reader.db);
    const rights = await readStoredRights(reader.db);
    return { revision, rights, roles: await reader.db.selectFrom('member_role').selectAll().execute() };
  } catch (error) {
    if (isDamage(error)) return 'damaged';
    throw new StoreError(
      `cannot read the list of forgotten players in ${file}: ${(error as Error).message}. Nothing was changed. ` +
        'If you move that file away, everybody who was forgotten since the backup comes back and must be forgotten again.',
      { cause: error },
    );
  } finally {
    await reader?.close();
  }
}
