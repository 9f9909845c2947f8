import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { type Database, storeFile } from '../database.ts';
import { SQLite, type SQLiteDatabase } from '../engine/driver.ts';
import { StoreError } from '../engine/error.ts';
import { identityColumns } from '../players/person-identity.ts';
import { addHashes, forgetPersons, identityOfRow } from './forget-player.ts';
import { forgottenKeyFile, keyCheckOf, readForgottenKey } from './forgotten-key.ts';
import { ForgottenList, readRights } from './forgotten-list.ts';
import { visibility } from './tables.ts';

interface StoredList {
  keyCheck: string;
  hashes: ReadonlySet<string>;
}

/**
 * Deletes from another store everybody who is forgotten in a data folder, and gives it the list: both stores' entries
 * together. To be called before that store takes the place of the folder's own.
 * @returns the list
 * @throws StoreError when the lists cannot be joined: the key is missing or another one, or the present list is unreadable
 */
export async function applyForgottenList(db: Database, dataFolder: string): Promise<ForgottenList> {
  const present = readPresentList(storeFile(dataFolder));
  const own = await readOwnList(db);
  const checks = [present, own].flatMap((list) => list?.keyCheck ?? []);
  if (checks[0] === undefined) return new ForgottenList(0, null, new Set());
  // Every list must have been made with the folder's key.
  const [key] = checks.map((check) => readForgottenKey(storeFile(dataFolder), check));
  const list = new ForgottenList(
    0,
    key ?? null,
    new Set([...(present?.hashes ?? []), ...(own?.hashes ?? [])]),
  );
  if (key === undefined || present === null) return list;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('rights')
      .set({ key_check: keyCheckOf(key) })
      .execute();
    await addHashes(tx, [...present.hashes]);
    await sql`UPDATE rights SET revision = revision + 1, list_revision = list_revision + 1`.execute(tx);
    const players = await tx
      .selectFrom('player')
      .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
      .where('hidden', 'in', [visibility.shown, visibility.hidden])
      .execute();
    const gone = players.filter((player) => list.hasPerson(identityOfRow(player)));
    if (gone.length > 0) await forgetPersons(tx, list, gone, []);
  });
  await sql`VACUUM`.execute(db);
  return list;
}

async function readOwnList(db: Database): Promise<StoredList | null> {
  const { key_check } = await readRights(db);
  if (key_check === null) return null;
  const rows = await db.selectFrom('forgotten').select('hash').execute();
  return { keyCheck: key_check, hashes: new Set(rows.map(({ hash }) => hash)) };
}

/** Of a store that may be of an earlier version; null: there is none. @throws StoreError when it cannot be read */
function readPresentList(file: string): StoredList | null {
  if (!existsSync(file)) return null;
  let sqlite: SQLiteDatabase | undefined;
  try {
    sqlite = new SQLite(file, { readonly: true });
    const hasList = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'rights'").get();
    if (hasList === undefined) return null;
    const keyCheck = sqlite.prepare('SELECT key_check FROM rights').pluck().get() as string | null;
    if (keyCheck === null) return null;
    const hashes = sqlite.prepare('SELECT hash FROM forgotten').pluck().all() as string[];
    return { keyCheck, hashes: new Set(hashes) };
  } catch (error) {
    // Without a key nobody was ever forgotten.
    if (!existsSync(forgottenKeyFile(dirname(file)))) return null;
    throw new StoreError(
      `cannot read the list of forgotten players in ${file}: ${(error as Error).message}. Nothing was changed. ` +
        'If you move that file away, everybody who was forgotten since the backup comes back and must be forgotten again.',
      { cause: error },
    );
  } finally {
    sqlite?.close();
  }
}
