import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { byDialect } from '../../engine/dialect.ts';
import { StoreError } from '../../engine/error.ts';

/*
 * The hashes on the list of forgotten players are made with a key, which lies in the store. Earlier versions kept it in
 * the data folder (`forgotten.key`), or in OUTPOST_FORGOTTEN_KEY, and the store had a digest of it only.
 */

const keyBytes = 32;

export function hashWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * The keys of the list: new hashes are made with the first. There are several after a restore into a data folder that
 * had a list of its own. None: nobody was ever forgotten.
 * @throws StoreError when an earlier version made the list, and its key is missing
 */
export async function readKeys(db: Reader): Promise<Buffer[]> {
  if ((await readKeyCheck(db)) !== null) throw keyIsMissing();
  return await storedKeys(db);
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

async function storedKeys(db: Reader): Promise<Buffer[]> {
  const rows = await db.selectFrom('forgotten_key').select('key').orderBy('id').execute();
  return rows.map(({ key }) => Buffer.from(key, 'hex'));
}

async function readKeyCheck(db: Reader): Promise<string | null> {
  const { key_check } = await db.selectFrom('rights').select('key_check').executeTakeFirstOrThrow();
  return key_check;
}

function keyIsMissing(): StoreError {
  return new StoreError(
    'the key of the list of forgotten players is missing: without it, forgotten players would come back. An earlier version ' +
      'of Outpost kept it in forgotten.key in the data folder, or in OUTPOST_FORGOTTEN_KEY. Put it back there and try again. ' +
      'If it is lost for good, run "outpost player discard-list" and forget them again.',
  );
}

/** Whether a key is the one of which a store has this digest (`rights.key_check`). */
export function hasKeyCheck(key: Buffer, check: string | null): boolean {
  return hashWith(key, 'key check') === check;
}

/** Where an earlier version had the key; `Environment` has both. */
interface EarlierKeyPlaces {
  dataFolder: string;
  /** OUTPOST_FORGOTTEN_KEY. */
  forgottenKey?: string | undefined;
}

/** The keys in these places. @throws StoreError when the file cannot be read */
export function earlierKeys({ dataFolder, forgottenKey = '' }: EarlierKeyPlaces): Buffer[] {
  return [forgottenKey, readEarlierFile(dataFolder)].flatMap((text) =>
    /^[0-9a-f]{64}$/i.test(text.trim()) ? [Buffer.from(text.trim(), 'hex')] : [],
  );
}

const earlierFile = (dataFolder: string): string => join(dataFolder, 'forgotten.key');

/** Empty: there is no such file. */
function readEarlierFile(dataFolder: string): string {
  const file = earlierFile(dataFolder);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new StoreError(`cannot read ${file}: ${message}`, { cause: error });
  }
}

/**
 * Stores the key of a list that an earlier version made, if it is among these; a store without a list takes the first.
 * @returns false: it is not among them
 */
export async function addEarlierKey(tx: Database, keys: readonly Buffer[]): Promise<boolean> {
  const check = await readKeyCheck(tx);
  if (check === null && (await storedKeys(tx)).length > 0) return true;
  const key = keys.find((each) => check === null || hasKeyCheck(each, check));
  if (key !== undefined) {
    await addKeys(tx, [key]);
    await tx.updateTable('rights').set({ key_check: null }).execute();
  }
  return check === null || key !== undefined;
}

/**
 * Moves the key that an earlier version kept outside into the store. The file is deleted once its key is in the store and
 * on the disk, and so is the copy of the list that data folders beside PostgreSQL had.
 */
export async function takeOverKey(db: Database, places: EarlierKeyPlaces): Promise<void> {
  const { dataFolder } = places;
  rmSync(join(dataFolder, 'forgotten.json'), { force: true });
  const keys = earlierKeys(places);
  if (keys.length === 0) return;
  if ((await storedKeys(db)).length === 0) {
    // From here on a commit of SQLite waits for the disk.
    await sql`${byDialect(sql`PRAGMA synchronous = FULL`, () => sql`SELECT 1`)}`.execute(db);
    await db.transaction().execute(async (tx) => await addEarlierKey(tx, keys));
    await sql`${byDialect(sql`PRAGMA synchronous = NORMAL`, () => sql`SELECT 1`)}`.execute(db);
  }
  const stored = await storedKeys(db);
  const inFile = earlierKeys({ dataFolder });
  if (inFile.some((key) => stored.some((known) => known.equals(key)))) rmSync(earlierFile(dataFolder));
}
