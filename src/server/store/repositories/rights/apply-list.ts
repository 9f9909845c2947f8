import { writeStore } from '../../engine/transactions.ts';
import { existsSync } from 'node:fs';
import { type Database, storeFile } from '../../engine/database.ts';
import { hasTable, type SQLiteDatabase, withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { isDamage } from '../../engine/storage-errors.ts';
import { type IdentityRow, identityColumns } from '../players/person-identity.ts';
import { findPersons } from './erase-player.ts';
import { forgetAgain, type ForgottenName } from './forget-player.ts';
import { addKeys } from './forgotten-key.ts';
import { type ForgottenList, readForgottenList } from './forgotten-list.ts';
import { setVisibility } from './hide-player.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** Who is forgotten and hidden in the store that a restore replaces. */
interface PresentRights {
  keys: readonly Buffer[];
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
 * @throws StoreError when the folder's store cannot be read
 */
export async function applyPresentRights(db: Database, dataFolder: string): Promise<AppliedRights> {
  const present = readPresentRights(dataFolder);
  await hideAgain(db, present.hidden);
  return await writeStore(db, async (tx) => {
    if (present.hashes.length > 0) await addKeys(tx, present.keys);
    const deleted = present.hashes.length > 0 ? await forgetAgain(tx, present.hashes, present.names) : 0;
    return { list: await readForgottenList(tx), deleted, isListMissing: present.isDamaged };
  });
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
  hashes: [],
  names: [],
  hidden: [],
  isDamaged: false,
};

/** Of a data folder's store. @throws StoreError when it cannot be read */
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
  return {
    keys: column('SELECT key FROM forgotten_key ORDER BY id').map((key) => Buffer.from(key, 'hex')),
    hashes: column('SELECT hash FROM forgotten'),
    names: sqlite.prepare('SELECT hash, server_id FROM forgotten_name').raw().all() as ForgottenName[],
    hidden: sqlite
      .prepare(`SELECT ${identityColumns.join(', ')} FROM player WHERE hidden = ?`)
      .all(visibility.hidden) as IdentityRow[],
    isDamaged: false,
  };
}
