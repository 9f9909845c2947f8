import { sql } from 'kysely';
import type { WriteDatabase } from '../../engine/database.ts';
import { readRights } from './forgotten-list.ts';

type Wipeable = Pick<WriteDatabase, 'db' | 'wipe'>;

/** Removes deleted data from the store's files. @returns false: not all of them, because others were reading */
export async function wipeDeleted({ db, wipe }: Wipeable): Promise<boolean> {
  if (!(await wipe())) return false;
  await sql`UPDATE rights SET wipe_wanted = 0`.execute(db);
  return true;
}

/** Removes deleted data from the store's files if players were forgotten since the last time. */
export async function wipeIfWanted(store: Wipeable): Promise<void> {
  if ((await readRights(store.db)).wipe_wanted === 1) await wipeDeleted(store);
}
