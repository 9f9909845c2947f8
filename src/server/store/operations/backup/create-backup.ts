import { createWriteStream, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { version } from '../../../../process/version.ts';
import { ensureDataFolder, isMissing } from '../../engine/data-folder.ts';
import { withSqlite } from '../../engine/driver.ts';
import { renameOver } from '../../../../process/rename.ts';
import { StoreError } from '../../engine/error.ts';
import { lockFile } from '../../engine/folder-lock.ts';
import { botNamespace } from '../../engine/small-values.ts';
import { isDamage, storageProblem } from '../../engine/storage-errors.ts';
import { backupFolder, removeUnfinished, stagingOf } from './backup-folder.ts';
import { copyStore, type CopyOptions } from './copy-store.ts';
import { counting, digestOf, flush, requireFree } from './backup-files.ts';
import { entriesOf, type Manifest, manifestEntry, newManifest } from './manifest.ts';

export interface BackupOptions extends CopyOptions {
  dataFolder: string;
  /** Path of the store; left out: the data folder's. */
  store?: string;
  /** Path of the new backup; there must be no such file. */
  file: string;
  reason: Manifest['reason'];
  /** Epoch milliseconds. */
  now: number;
  /** How long to wait for another backup of the same data folder. */
  waitMs?: number;
}

interface CreatedBackup {
  file: string;
  bytes: number;
  manifest: Manifest;
}

const compressionLevel = 4;
/** Left free for the service that runs beside. */
const reserveBytes = 32 * 1024 * 1024;
const otherPlace = 'name another place for the backup';

/**
 * Makes a backup of a data folder, also while Outpost runs on it: the store, and in it what the bot keeps. Tokens, the
 * config and its secrets are not part of it. What the bot posts after the copy is not in it; a restore takes care of that
 * (`bot/channels/restored-state.ts`, `restored_server`).
 *
 * The file appears under its name once it is complete.
 * @throws StoreError that says why there is none; the signal's reason
 */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const { dataFolder, file, waitMs = 0, store = join(dataFolder, 'outpost.sqlite') } = options;
  if (isMissing(store)) {
    throw new StoreError(
      `there is nothing to back up: ${store} does not exist. Start Outpost once, or name its data folder in OUTPOST_DATA.`,
    );
  }
  ensureDataFolder(dataFolder);
  const lock = lockFile(join(dataFolder, 'outpost.lock.backup'), waitMs);
  if (lock === null) {
    throw new StoreError(
      `another backup of ${dataFolder} is being made: wait until it has ended, then try again.`,
    );
  }
  const staging = stagingOf(file);
  try {
    if (existsSync(file)) throw new StoreError(`${file} exists already: name another file, or delete it.`);
    removeUnfinished(backupFolder(dataFolder));
    tryRemoveUnfinished(dirname(file));
    rmSync(staging, { recursive: true, force: true });
    await requireSpace(dirname(file), store);
    mkdirSync(staging, { mode: 0o700 });
    try {
      return await make(options, store, staging);
    } finally {
      rmSync(staging, { recursive: true, force: true, maxRetries: 10 });
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const path = isDamage(String((error as NodeJS.ErrnoException).code)) ? store : file;
    throw storageProblem(path, error, otherPlace) ?? error;
  } finally {
    lock.release();
  }
}

/** What cannot be deleted there keeps nobody from making a backup. */
function tryRemoveUnfinished(folder: string): void {
  try {
    removeUnfinished(folder, 60 * 60_000);
  } catch {
    // Another process is deleting it, or it belongs to another user.
  }
}

async function make(
  { file, reason, now, signal, onProgress }: BackupOptions,
  store: string,
  staging: string,
): Promise<CreatedBackup> {
  const storeCopy = join(staging, 'outpost.sqlite');
  const schema = await copyStore(store, storeCopy, { signal, onProgress });
  keepOnlyBotValues(storeCopy);
  const entries: Manifest['entries'] = { 'outpost.sqlite': await digestOf(storeCopy) };
  const manifest = newManifest({
    createdAt: new Date(now).toISOString(),
    reason,
    outpost: version,
    schema,
    entries,
  });
  await writeFile(join(staging, manifestEntry), JSON.stringify(manifest, null, 2), { mode: 0o600 });

  const archive = join(staging, 'archive');
  const names = [manifestEntry, ...entriesOf(manifest)];
  const total = names.reduce((sum, name) => sum + statSync(join(staging, name)).size, 0);
  const { create } = await import('tar');
  const packed = create({ cwd: staging, portable: true, strict: true }, names);
  const output = createWriteStream(archive, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await pipeline(
      packed,
      counting((done) => onProgress?.({ step: 'compress', done, total })),
      createGzip({ level: compressionLevel }),
      output,
      signal === undefined ? {} : { signal },
    );
  } finally {
    // An aborted stream may still be opening its file, in a folder that is deleted next.
    await closed;
  }
  await flush(archive);
  signal?.throwIfAborted();
  await renameOver(archive, file);
  await flush(dirname(file)).catch(() => undefined);
  return { file, bytes: statSync(file).size, manifest };
}

/** Deletes tokens, and the key that marks them, from the copy of a store, so that no page of it has them any more. */
function keepOnlyBotValues(store: string): void {
  withSqlite(store, { fileMustExist: true }, (sqlite) => {
    sqlite.pragma('secure_delete = ON');
    sqlite.prepare('DELETE FROM keyv WHERE key NOT GLOB ?').run(`${botNamespace}:*`);
  });
}

/** A disk that is full stops the service, too, so a backup that may not fit is not begun. @throws StoreError */
async function requireSpace(folder: string, store: string): Promise<void> {
  const sizes = [store, `${store}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  // The copy, and the compressed archive beside it.
  const needed = sizes.reduce((sum, size) => sum + size, 0) * 1.5 + reserveBytes;
  await requireFree(folder, needed, 'a backup');
}
