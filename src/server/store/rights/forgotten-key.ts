import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../engine/error.ts';

/*
 * The key of the list of forgotten players is a file of its own beside the store. It is in no backup: whoever has a
 * copy of the store alone cannot test which players are on the list.
 */

const keyBytes = 32;

/** Path of the key in a data folder. */
export function forgottenKeyFile(dataFolder: string): string {
  return join(dataFolder, 'forgotten.key');
}

export function hashWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The digest by which the store knows its key again. */
export function keyCheckOf(key: Buffer): string {
  return hashWith(key, 'key check');
}

/** Reads the key of a store. @throws StoreError when it is missing, or is another one than `check` says */
export function readForgottenKey(storeFile: string, check: string): Buffer {
  const file = forgottenKeyFile(dirname(storeFile));
  const key = readKeyFile(file);
  if (key === null) {
    throw new StoreError(
      `${file} is missing: it is the key of the list of forgotten players in ${storeFile}. ` +
        'Copy it from where this data folder was before; without it, forgotten players would come back. ' +
        'If it is lost for good, run "outpost player discard-list" and forget them again.',
    );
  }
  checkKey(
    key,
    check,
    () =>
      `${file} is not the key of the list of forgotten players in ${storeFile}. ` +
      'Copy the key from the data folder in which that list was made.',
  );
  return key;
}

/** @throws StoreError when it is another key than the one with this digest */
export function checkKey(key: Buffer, check: string, message: () => string): void {
  const [found, wanted] = [Buffer.from(keyCheckOf(key)), Buffer.from(check)];
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) throw new StoreError(message());
}

/** Reads the key of a data folder, or makes one, readable by its owner only. @throws when it cannot be written */
export function readOrMakeForgottenKey(dataFolder: string): Buffer {
  const file = forgottenKeyFile(dataFolder);
  for (;;) {
    const known = readKeyFile(file);
    if (known !== null) return known;
    makeKey(file);
  }
}

/** Makes the file with a new key in one step, unless another process has made it meanwhile. */
function makeKey(file: string): void {
  const key = randomBytes(keyBytes).toString('hex');
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(descriptor, `${key}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file)) return;
      // A file system without hard links.
      renameSync(temporary, file);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Null: there is no such file. @throws StoreError when it is damaged or cannot be read */
export function readKeyFile(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StoreError(`cannot read ${file}: ${message}`, { cause: error });
  }
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StoreError(
      `${file} is damaged: expected ${2 * keyBytes} hex digits. Put back a copy of it; if nobody has been forgotten, delete it.`,
    );
  }
  return Buffer.from(text, 'hex');
}
