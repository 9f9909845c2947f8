import type { Database, Reader } from '../../engine/database.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { writeStore } from '../../engine/transactions.ts';
import { findPersons, identityColumns } from '../players/person-identity.ts';
import { forgetAgain } from './forget-player.ts';
import { addKeys, readKeys } from './forgotten-list.ts';
import { setVisibility } from './hide-player.ts';

/** Who is forgotten and hidden in a store. */
export async function readStoredRights(db: Reader) {
  const forgotten = await db.selectFrom('forgotten').select('hash').execute();
  return {
    keys: await readKeys(db),
    hashes: forgotten.map(({ hash }) => hash),
    hidden: await db
      .selectFrom('player')
      .select(identityColumns)
      .where('hidden', '=', visibility.hidden)
      .execute(),
  };
}

/**
 * Deletes everybody who is forgotten in another store, and joins that store's list; players who are hidden there become hidden.
 * @returns how many stored players were deleted
 */
export async function applyRights(
  db: Database,
  { keys, hashes, hidden }: Awaited<ReturnType<typeof readStoredRights>>,
): Promise<number> {
  return await writeStore(db, async (tx) => {
    const persons = await findPersons(tx, hidden);
    const shown = persons.filter((person) => person.hidden === visibility.shown);
    await setVisibility(
      tx,
      shown.map(({ id }) => id),
      visibility.hidden,
    );
    if (hashes.length === 0) return 0;
    await addKeys(tx, keys);
    return await forgetAgain(tx, hashes);
  });
}
