import { createHmac, randomBytes } from 'node:crypto';
import type { Database, Reader } from '../../engine/database.ts';

/* The hashes on the list of forgotten players are made with a key, which lies in the store. */

const keyBytes = 32;

export function hashWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * The keys of the list: new hashes are made with the first. There are several after a restore into a data folder that
 * had a list of its own. None: nobody was ever forgotten.
 */
export async function readKeys(db: Reader): Promise<Buffer[]> {
  const rows = await db.selectFrom('forgotten_key').select('key').orderBy('id').execute();
  return rows.map(({ key }) => Buffer.from(key, 'hex'));
}

/** The keys of the list, with a new key if there is none. */
export async function readOrMakeKeys(tx: Database): Promise<Buffer[]> {
  const known = await readKeys(tx);
  if (known.length > 0) return known;
  const key = randomBytes(keyBytes);
  await addKeys(tx, [key]);
  return [key];
}

/** Adds keys after those that the list has. */
export async function addKeys(tx: Database, keys: readonly Buffer[]): Promise<void> {
  for (const key of keys) {
    await tx
      .insertInto('forgotten_key')
      .values({ key: key.toString('hex') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
