import { createReadStream, createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { renameOver } from '../../../../process/rename.ts';
import { requireSound } from '../../engine/check-store.ts';
import { ensureDataFolder, isMissing } from '../../engine/data-folder.ts';
import { storeFile } from '../../engine/database.ts';
import { withSqlite } from '../../engine/driver.ts';
import { StoreError } from '../../engine/error.ts';
import { isDamage, storageProblem } from '../../engine/storage-errors.ts';
import {
  backupFolder,
  copyOf,
  flush,
  megabytes,
  newBackupFile,
  partialOf,
  pruneBackups,
  removeAbandoned,
  removePartial,
  tooLittleSpace,
  usableBytes,
} from './backup-folder.ts';
import { copyStore, type CopyOptions, deleteTokens } from './copy-store.ts';

export interface BackupOptions extends CopyOptions {
  dataFolder: string;
  /** Path of the new backup; there must be no such file. */
  file: string;
  /** Whether to check all of the copy, which holds up this thread for a second for each 100 MB; default false. */
  check?: boolean;
}

const compressionLevel = 4;
const otherPlace = 'name another place for the backup';

/**
 * Makes a backup of a data folder, also while Outpost runs on it: the store, and in it what the bot keeps, compressed by
 * gzip. Tokens, the config and its secrets are not part of it.
 *
 * The file appears under its name once it is complete.
 * @returns its size in bytes
 * @throws StoreError that says why there is none; the signal's reason
 */
export async function createBackup(options: BackupOptions): Promise<number> {
  const { dataFolder, file } = options;
  const store = storeFile(dataFolder);
  if (isMissing(store)) {
    throw new StoreError(
      `there is nothing to back up: ${store} does not exist. Start Outpost once, or name its data folder in OUTPOST_DATA.`,
    );
  }
  ensureDataFolder(dataFolder);
  const copy = partialOf(copyOf(file));
  const packed = partialOf(file);
  try {
    if (existsSync(file)) throw new StoreError(`${file} exists already: name another file, or delete it.`);
    removeAbandoned(dirname(file));
    await requireSpace(dirname(file), store);
    await copyStore(store, copy, options);
    if (options.check === true)
      withSqlite(copy, { fileMustExist: true }, (sqlite) => requireSound(sqlite, store));
    deleteTokens(copy);
    await compress(copy, packed, options);
    await flush(packed);
    options.signal?.throwIfAborted();
    await renameOver(packed, file);
    await flush(dirname(file)).catch(() => undefined);
    return statSync(file).size;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const path = isDamage(error) ? store : file;
    throw storageProblem(path, error, otherPlace) ?? error;
  } finally {
    removePartial(copy);
    removePartial(packed);
  }
}

/** Makes a backup among those of the data folder, and deletes the oldest of them, so that `keep` are left. */
export async function createScheduledBackup(
  { dataFolder, keep }: { dataFolder: string; keep: number },
  signal: AbortSignal,
): Promise<{ file: string; bytes: number }> {
  const folder = backupFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = newBackupFile(folder, 'scheduled', Date.now());
  const bytes = await createBackup({ dataFolder, file, signal });
  pruneBackups(folder, 'scheduled', keep);
  return { file, bytes };
}

async function compress(source: string, target: string, { signal, onProgress }: CopyOptions): Promise<void> {
  const total = statSync(source).size;
  const output = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await pipeline(
      createReadStream(source),
      async function* (chunks: AsyncIterable<Buffer>) {
        let done = 0;
        for await (const chunk of chunks) {
          onProgress?.({ step: 'compress', done: (done += chunk.length), total });
          yield chunk;
        }
      },
      createGzip({ level: compressionLevel }),
      output,
      signal === undefined ? {} : { signal },
    );
  } finally {
    // An aborted stream may still be opening its file, which is deleted next.
    await closed;
  }
}

/** A disk that is full stops the service, too, so a backup that may not fit is not begun. @throws StoreError */
async function requireSpace(folder: string, store: string): Promise<void> {
  const sizes = [store, `${store}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  // The copy, and the compressed file beside it.
  const needed = sizes.reduce((sum, size) => sum + size, 0) * 1.5;
  if ((await usableBytes(folder)) < needed)
    throw tooLittleSpace(folder, `a backup needs ${megabytes(needed)}`);
}
