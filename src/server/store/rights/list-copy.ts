import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { StoreError } from '../engine/error.ts';
import { forgetAgain } from './forget-player.ts';
import { keyCheckOf } from './forgotten-key.ts';
import { everyServer, ForgottenList, readRights } from './forgotten-list.ts';
import { ownSharedKey } from './shared-key.ts';

/*
 * Each process on PostgreSQL has a copy of the list of forgotten players in its data folder. A dump that is restored holds
 * the people who were forgotten after it was made, and an earlier list.
 */

const listCopy = z.object({
  /** `rights.list_revision`. */
  revision: z.int(),
  keyCheck: z.string(),
  hashes: z.array(z.string()),
});
type ListCopy = z.output<typeof listCopy>;

/** Path of the copy in a data folder. */
export function listCopyFile(dataFolder: string): string {
  return join(dataFolder, 'forgotten.json');
}

/**
 * Forgets the players again whom the store has lost from its list since the copy was made, then copies the list.
 * @returns how many stored players were deleted; null: the store had lost none
 * @throws StoreError when they cannot be forgotten without the key
 */
export async function agreeWithCopy(db: Database, dataFolder: string): Promise<number | null> {
  const file = listCopyFile(dataFolder);
  const copy = readCopy(file);
  const rights = await readRights(db);
  if (copy?.revision === rights.list_revision && copy.keyCheck === rights.key_check) return null;
  const isDiscarded =
    rights.key_check === null
      ? rights.list_revision > (copy?.revision ?? 0)
      : rights.key_check !== copy?.keyCheck;
  const deleted = copy === null || isDiscarded ? null : await forgetLost(db, copy, file);
  await writeCopy(db, file);
  return deleted;
}

async function forgetLost(db: Database, copy: ListCopy, file: string): Promise<number | null> {
  return await db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('forgotten').select('hash').execute();
    const hashes = new Set(known.map(({ hash }) => hash));
    const lost = copy.hashes.filter((hash) => !hashes.has(hash));
    if (lost.length === 0) return null;
    const key = ownSharedKey();
    if (key === null || keyCheckOf(key) !== copy.keyCheck) throw new StoreError(withoutKey(file));
    await tx
      .updateTable('rights')
      .set((row) => ({
        key_check: copy.keyCheck,
        list_revision: row.fn<number>('greatest', ['list_revision', row.val(copy.revision)]),
      }))
      .execute();
    const both = new ForgottenList(0, key, new Set([...hashes, ...lost]));
    return await forgetAgain(
      tx,
      both,
      lost,
      lost.map((hash) => [hash, everyServer]),
    );
  });
}

/** Null: there is none. @throws StoreError when it cannot be read: it may hold players whom the store has lost */
function readCopy(file: string): ListCopy | null {
  if (!existsSync(file)) return null;
  try {
    return listCopy.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StoreError(
      unreadable(file, error instanceof z.ZodError ? 'it is damaged' : (error as Error).message),
      {
        cause: error,
      },
    );
  }
}

async function writeCopy(db: Database, file: string): Promise<void> {
  const { list_revision: revision, key_check: keyCheck } = await readRights(db);
  if (keyCheck === null) return rmSync(file, { force: true });
  // A command may run where there is no data folder.
  if (!existsSync(dirname(file))) return;
  const rows = await db.selectFrom('forgotten').select('hash').orderBy('hash').execute();
  const copy: ListCopy = { revision, keyCheck, hashes: rows.map(({ hash }) => hash) };
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(copy), { mode: 0o600, flush: true });
  renameSync(temporary, file);
}

const unreadable = (file: string, reason: string): string =>
  `cannot read ${file}, the list of forgotten players: ${reason}. Make it readable, or put the file of another process ` +
  'there. If there is none, delete the file: players whom an older dump has brought back must then be forgotten again.';

const withoutKey = (file: string): string =>
  `the store has lost players of the list in ${file}, as after an older dump was restored, and the key of that list is ` +
  'missing: they would come back. Set OUTPOST_FORGOTTEN_KEY, or put forgotten.key into the data folder, as before. If the ' +
  'file is of another store, or the key is lost for good, delete the file.';
