import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeFile } from '../database.ts';
import { SQLite, type SQLiteDatabase } from '../engine/driver.ts';
import { StoreError } from '../engine/error.ts';
import { type IdentityRow, identityColumns } from '../players/person-identity.ts';
import { forgottenKeyFile } from './forgotten-key.ts';
import type { ForgottenName } from './forget-player.ts';
import { everyServer, type ForgottenList } from './forgotten-list.ts';
import { visibility } from './tables.ts';

/** Who is forgotten and hidden in the store that a restore replaces. */
export interface PresentRights {
  /** Null: nobody is forgotten. */
  list: { keyCheck: string; hashes: ReadonlySet<string>; names: readonly ForgottenName[] } | null;
  hidden: readonly IdentityRow[];
}

const nobody: PresentRights = { list: null, hidden: [] };

/** Of a data folder's store, which may be of an earlier version. @throws StoreError when it cannot be read */
export function readPresentRights(dataFolder: string): PresentRights {
  const file = storeFile(dataFolder);
  if (!existsSync(file)) return nobody;
  let sqlite: SQLiteDatabase | undefined;
  try {
    sqlite = new SQLite(file, { readonly: true });
    const hasRights = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'rights'").get();
    if (hasRights === undefined) return nobody;
    const hidden = sqlite
      .prepare(`SELECT ${identityColumns.join(', ')} FROM player WHERE hidden = ?`)
      .all(visibility.hidden) as IdentityRow[];
    const keyCheck = sqlite.prepare('SELECT key_check FROM rights').pluck().get() as string | null;
    if (keyCheck === null) return { list: null, hidden };
    const hashes = sqlite.prepare('SELECT hash FROM forgotten').pluck().all() as string[];
    const hasNames = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'forgotten_name'").get();
    const names =
      hasNames === undefined
        ? hashes.map((hash): ForgottenName => [hash, everyServer])
        : (sqlite.prepare('SELECT hash, server_id FROM forgotten_name').raw().all() as ForgottenName[]);
    return { list: { keyCheck, hashes: new Set(hashes), names }, hidden };
  } catch (error) {
    // Without a key nobody was ever forgotten.
    if (!existsSync(forgottenKeyFile(dirname(file)))) return nobody;
    throw new StoreError(
      `cannot read the list of forgotten players in ${file}: ${(error as Error).message}. Nothing was changed. ` +
        'If you move that file away, everybody who was forgotten since the backup comes back and must be forgotten again.',
      { cause: error },
    );
  } finally {
    sqlite?.close();
  }
}

/** @throws StoreError when players were forgotten in a data folder since a list was read there */
export function requireNobodyForgottenSince(dataFolder: string, known: ForgottenList): void {
  const { list } = readPresentRights(dataFolder);
  if ([...(list?.hashes ?? [])].every((hash) => known.hashes.has(hash))) return;
  throw new StoreError('a player was forgotten meanwhile: restore the backup again. Nothing was changed.');
}
