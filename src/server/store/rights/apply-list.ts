import { dirname } from 'node:path';
import { type Database, storeFile } from '../database.ts';
import { StoreError } from '../engine/error.ts';
import { findPersons } from './erase-player.ts';
import { forgetAgain } from './forget-player.ts';
import { keyCheckOf, readForgottenKey } from './forgotten-key.ts';
import { ForgottenList, readRights } from './forgotten-list.ts';
import { setVisibility } from './hide-player.ts';
import { type PresentRights, readPresentRights } from './present-rights.ts';
import { visibility } from './tables.ts';

export interface AppliedRights {
  /** The entries of both stores. */
  list: ForgottenList;
  /** How many stored players were deleted. */
  deleted: number;
}

/**
 * Deletes everybody who is forgotten in a data folder from another store, and joins both stores' lists in it. Players who
 * are hidden in the folder's store become hidden in the other. Call this before that store replaces the folder's own.
 * @throws StoreError when the lists cannot be joined: the key is missing or another one, or the present list is unreadable
 */
export async function applyPresentRights(db: Database, dataFolder: string): Promise<AppliedRights> {
  const { list: present, hidden } = readPresentRights(dataFolder);
  const own = await readOwnList(db);
  const store = storeFile(dataFolder);
  const key =
    own === null
      ? present && readForgottenKey(store, present.keyCheck)
      : readKeyOfBoth(store, own.keyCheck, present);
  const list = new ForgottenList(0, key, new Set([...(present?.hashes ?? []), ...(own?.hashes ?? [])]));
  await hideAgain(db, hidden);
  if (key === null || present === null) return { list, deleted: 0 };
  const deleted = await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('rights')
      .set({ key_check: keyCheckOf(key) })
      .execute();
    return await forgetAgain(tx, list, [...present.hashes], present.names);
  });
  return { list, deleted };
}

/** Both lists must have been made with the folder's key. */
function readKeyOfBoth(store: string, ownCheck: string, present: PresentRights['list']): Buffer {
  if (present !== null) readForgottenKey(store, present.keyCheck);
  try {
    return readForgottenKey(store, ownCheck);
  } catch (error) {
    if (!(error instanceof StoreError) || present?.keyCheck === ownCheck) throw error;
    throw new StoreError(
      `the backup has a list of forgotten players, and its key is not in ${dirname(store)}: forgotten players would ` +
        `come back. Copy forgotten.key there from the data folder that was backed up. If that key is lost for good, ` +
        'add --discard-list, and forget those players again. Nothing was changed.',
      { cause: error },
    );
  }
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

async function readOwnList(db: Database): Promise<PresentRights['list']> {
  const { key_check } = await readRights(db);
  if (key_check === null) return null;
  const rows = await db.selectFrom('forgotten').select('hash').execute();
  return { keyCheck: key_check, hashes: new Set(rows.map(({ hash }) => hash)), names: [] };
}
