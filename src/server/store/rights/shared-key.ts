import { StoreError } from '../engine/error.ts';
import { checkKey, forgottenKeyFile, readKeyFile } from './forgotten-key.ts';

/** Where this process has the key of the list in a store that several machines share. */
export interface SharedKeyPlaces {
  /** OUTPOST_FORGOTTEN_KEY, 64 hex digits; null: it is not set. */
  variable: string | null;
  /** A data folder with forgotten.key; null: there is none. */
  folder: string | null;
}

let places: SharedKeyPlaces = { variable: null, folder: null };

/** A store on PostgreSQL has no folder of its own, so the process says once where its key is. */
export function useSharedKey(own: SharedKeyPlaces): void {
  places = own;
}

/** Where this process has the key, for its threads. */
export const sharedKeyPlaces = (): SharedKeyPlaces => places;

/** The key of this process; null: it has none. @throws StoreError when the file with it is damaged */
export function ownSharedKey({ variable, folder } = places): Buffer | null {
  if (variable !== null) return Buffer.from(variable, 'hex');
  return folder === null ? null : readKeyFile(forgottenKeyFile(folder));
}

const howTo =
  'Set OUTPOST_FORGOTTEN_KEY to the same 64 hex digits for every Outpost of this store, or put the same file ' +
  'forgotten.key into each data folder';

/** @throws StoreError when this process has no key, or another one than `check` says */
export function readSharedKey(check: string): Buffer {
  const key = ownSharedKey();
  if (key === null) {
    throw new StoreError(
      `the key of the list of forgotten players is missing: without it, forgotten players would come back. ${howTo}. ` +
        'If it is lost for good, run "outpost player discard-list" and forget them again.',
    );
  }
  checkKey(
    key,
    check,
    () => `the key of the list of forgotten players is another one than that of the store. ${howTo}.`,
  );
  return key;
}

/** The key for the first entry of the list. It is never made here: other machines would not have it. */
export function newSharedKey(): Buffer {
  const key = ownSharedKey();
  if (key !== null) return key;
  throw new StoreError(
    `forgetting players needs a key that every Outpost of this store has. Nothing was deleted. ${howTo}; ` +
      '"openssl rand -hex 32" makes one. Then restart them and try again.',
  );
}
