import { existsSync } from 'node:fs';
import { type Database, storeFile } from '../../engine/database.ts';
import { hasTable, type SQLiteDatabase, withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { isDamage } from '../../engine/storage-errors.ts';
import { type IdentityRow, identityColumns } from '../players/person-identity.ts';
import { findPersons } from './erase-player.ts';
import { forgetAgain, type ForgottenName } from './forget-player.ts';
import { addEarlierKey, addKeys, earlierKeys, hasKeyCheck } from './forgotten-key.ts';
import { everyServer, type ForgottenList, readForgottenList } from './forgotten-list.ts';
import { setVisibility } from './hide-player.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** Who is forgotten and hidden in the store that a restore replaces. */
interface PresentRights {
  keys: readonly Buffer[];
  /** As `RightsTable.key_check`. */
  keyCheck: string | null;
  hashes: readonly string[];
  names: readonly ForgottenName[];
  hidden: readonly IdentityRow[];
  /** Nothing is known, because the store is damaged. */
  isDamaged: boolean;
}

export interface AppliedRights {
  /** The entries of both stores. */
  list: ForgottenList;
  /** How many stored players were deleted. */
  deleted: number;
  /** The folder's store is damaged, so that nobody knows who is forgotten or hidden in it. */
  isListMissing: boolean;
}

/**
 * Deletes everybody who is forgotten in a data folder from another store, and joins both stores' lists in it. Players who
 * are hidden in the folder's store become hidden in the other. Call this before that store replaces the folder's own.
 * @throws StoreError when an earlier version made one of the lists, and its key is missing
 */
export async function applyPresentRights(db: Database, dataFolder: string): Promise<AppliedRights> {
  const present = readPresentRights(dataFolder);
  await hideAgain(db, present.hidden);
  return await db.transaction().execute(async (tx) => {
    const earlier = earlierKeys({ dataFolder });
    if (!(await addEarlierKey(tx, [...present.keys, ...earlier]))) throw backupNeedsKey(dataFolder);
    const keys = [...present.keys, ...earlier.filter((key) => hasKeyCheck(key, present.keyCheck))];
    if (present.keyCheck !== null && keys.length === 0) throw folderNeedsKey(dataFolder);
    if (present.hashes.length > 0) await addKeys(tx, keys);
    const deleted = present.hashes.length > 0 ? await forgetAgain(tx, present.hashes, present.names) : 0;
    return { list: await readForgottenList(tx), deleted, isListMissing: present.isDamaged };
  });
}

function backupNeedsKey(dataFolder: string): StoreError {
  return new StoreError(
    'an earlier version of Outpost made the backup, with a list of forgotten players, and the key of that list is not in ' +
      `${dataFolder}: forgotten players would come back. Copy forgotten.key there from the data folder that was backed up. ` +
      'If that key is lost for good, add --discard-list, and forget those players again. Nothing was changed.',
  );
}

function folderNeedsKey(dataFolder: string): StoreError {
  return new StoreError(
    `forgotten.key is missing in ${dataFolder}: it is the key of the list of forgotten players in the present store, and ` +
      'without it they would come back. Put it back there. If it is lost for good, run "outpost player discard-list". ' +
      'Nothing was changed.',
  );
}

async function hideAgain(db: Database, hidden: PresentRights['hidden']): Promise<void> {
  const persons = await findPersons(db, hidden);
  const shown = persons.filter((person) => person.hidden === visibility.shown);
  await setVisibility(
    db,
    shown.map(({ id }) => id),
    visibility.hidden,
  );
}

/** @throws StoreError when players were forgotten in a data folder since its list was joined with another one */
export function requireNobodyForgottenSince(dataFolder: string, joined: ForgottenList): void {
  if (readPresentRights(dataFolder).hashes.every((hash) => joined.hashes.has(hash))) return;
  throw new StoreError('a player was forgotten meanwhile: restore the backup again. Nothing was changed.');
}

const nobody: PresentRights = {
  keys: [],
  keyCheck: null,
  hashes: [],
  names: [],
  hidden: [],
  isDamaged: false,
};

/** Of a data folder's store, which may be of an earlier version. @throws StoreError when it cannot be read */
function readPresentRights(dataFolder: string): PresentRights {
  const file = storeFile(dataFolder);
  if (!existsSync(file)) return nobody;
  try {
    return withSqlite(file, { readonly: true }, readRightsOf);
  } catch (error) {
    if (isDamage(String((error as { code?: unknown }).code))) return { ...nobody, isDamaged: true };
    throw new StoreError(
      `cannot read the list of forgotten players in ${file}: ${(error as Error).message}. Nothing was changed. ` +
        'If you move that file away, everybody who was forgotten since the backup comes back and must be forgotten again.',
      { cause: error },
    );
  }
}

function readRightsOf(sqlite: SQLiteDatabase): PresentRights {
  const column = (query: string): string[] => sqlite.prepare(query).pluck().all() as string[];
  if (!hasTable(sqlite, 'rights')) return nobody;
  const hashes = column('SELECT hash FROM forgotten');
  return {
    keys: hasTable(sqlite, 'forgotten_key')
      ? column('SELECT key FROM forgotten_key ORDER BY id').map((key) => Buffer.from(key, 'hex'))
      : [],
    keyCheck: sqlite.prepare('SELECT key_check FROM rights').pluck().get() as string | null,
    hashes,
    names: hasTable(sqlite, 'forgotten_name')
      ? (sqlite.prepare('SELECT hash, server_id FROM forgotten_name').raw().all() as ForgottenName[])
      : hashes.map((hash) => [hash, everyServer]),
    hidden: sqlite
      .prepare(`SELECT ${identityColumns.join(', ')} FROM player WHERE hidden = ?`)
      .all(visibility.hidden) as IdentityRow[],
    isDamaged: false,
  };
}
