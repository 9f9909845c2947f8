import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SQLite, type SQLiteDatabase } from '../engine/driver.ts';
import { pino } from 'pino';
import { openWriter, storeFile } from '../database.ts';
import { closeToOthers, ensureDataFolder } from '../engine/data-folder.ts';
import { StoreError } from '../engine/error.ts';
import { lockDataFolder } from '../engine/folder-lock.ts';
import { openSmallStore } from '../engine/small-store.ts';
import { isDamage, storageProblem } from '../engine/storage-errors.ts';
import { refuseNewer } from '../engine/version.ts';
import { latestDeathId } from '../kills/deaths.ts';
import { flush } from './backup-files.ts';
import { timeInName } from './backup-folder.ts';
import { type BotValue, parseBotValues, readBotValues, rowOf } from './bot-values.ts';
import { checkWhole, type CopyOptions } from './copy-store.ts';
import type { Manifest } from './manifest.ts';
import { extractBackup, unusable } from './read-archive.ts';
import { applyForgottenList } from '../rights/apply-list.ts';
import { linksToForgotten } from '../rights/player-links.ts';
import { finishRestore, saveRestoredValues } from './restored.ts';
import { restoreSteps } from './restore-steps.ts';

export interface RestoreOptions extends CopyOptions {
  file: string;
  /** Created if it is missing. */
  dataFolder: string;
  /** Path of the config, for the error message of an Outpost that is started meanwhile. */
  configFile: string;
  /** Epoch milliseconds. */
  now: number;
  /** What the bot shall have in Keyv. `present`: what it has now. */
  botStateOf: (state: {
    backedUp: readonly BotValue[];
    present: readonly BotValue[];
    /** The latest death in the restored store; 0: there is none. */
    latestDeathId: number;
  }) => BotValue[];
}

export interface RestoreResult {
  manifest: Manifest;
  /** Folder with the data from before; null: there was none. */
  before: string | null;
}

const stagingName = 'restore.outpost-partial';
const busyTimeoutMs = 10_000;

/**
 * Puts a backup in the place of a data folder's store. The present data stay in a folder of their own.
 *
 * Everything is prepared beside the present store. Then one rename exchanges the stores, so a restore that is killed
 * leaves either the old data or the new ones, complete. The values for Keyv come with the new store (`finishRestore`).
 * @throws StoreError that says why nothing was changed; the signal's reason
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataFolder, configFile, now } = options;
  ensureDataFolder(dataFolder);
  const lock = lockDataFolder(dataFolder, configFile, now);
  const staging = join(dataFolder, stagingName);
  try {
    removeRestoreLeftovers(dataFolder);
    mkdirSync(staging, { mode: 0o700 });
    const manifest = await prepare(options, staging);
    options.signal?.throwIfAborted();
    const before = putAside(dataFolder, now);
    await exchange(dataFolder, staging);
    return { manifest, before };
  } catch (error) {
    throw error instanceof StoreError ? error : (storageProblem(dataFolder, error) ?? error);
  } finally {
    removeRestoreLeftovers(dataFolder);
    lock.release();
  }
}

/** Deletes what a restore left behind that was killed. To be called while the data folder is locked. */
export function removeRestoreLeftovers(dataFolder: string): void {
  rmSync(join(dataFolder, stagingName), { recursive: true, force: true });
}

/** Extracts and checks the backup, and makes its store ready for use. */
async function prepare(options: RestoreOptions, staging: string): Promise<Manifest> {
  const { file, dataFolder, botStateOf } = options;
  const manifest = await extractBackup(file, staging, options);
  const restored = storeFile(staging);
  checkRestored(file, restored);
  const backedUp = parseBotValues(await readFile(join(staging, 'bot.json'), 'utf8'));
  if (backedUp === null) throw unusable(file, 'bot.json does not hold values of the bot');
  const present = presentBotValues(join(dataFolder, 'keyv.sqlite'));
  const { db, close } = await openWriter(restored, { busyTimeoutMs, isCopy: true });
  try {
    // Whoever is forgotten by now must not come back.
    const forgotten = await applyForgottenList(db, dataFolder);
    for (const step of restoreSteps) await step.run(db, dataFolder);
    const values = botStateOf({ backedUp, present, latestDeathId: await latestDeathId(db) });
    await saveRestoredValues(db, values.filter((value) => !linksToForgotten(forgotten, value)).map(rowOf));
  } finally {
    await close();
  }
  // Closing the last connection has written the log into the store.
  if (existsSync(`${restored}-wal`))
    throw new StoreError(`could not complete ${restored}. Nothing was changed.`);
  await flush(restored);
  return manifest;
}

/** @throws StoreError when the extracted store is damaged, or made by a newer Outpost */
function checkRestored(file: string, restored: string): void {
  try {
    checkWhole(restored, file);
    const sqlite = new SQLite(restored, { readonly: true });
    try {
      refuseNewer(sqlite, file);
      const views = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck().all();
      const hasServers =
        sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'server'").get() !== undefined;
      if (views.length > 0 || !hasServers) throw unusable(file, 'its database is not a store of Outpost');
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (!isDamage(String((error as { code?: unknown }).code))) throw error;
    throw unusable(file, `its database is damaged (${(error as Error).message})`);
  }
}

/** What the bot has now; nothing where Keyv is damaged, which may be why a backup is restored. */
function presentBotValues(keyvFile: string): BotValue[] {
  try {
    return readBotValues(keyvFile);
  } catch {
    return [];
  }
}

/**
 * Keeps the present data in a folder of their own; they stay in use until the stores are exchanged.
 * @returns the folder; null: there are no data
 * @throws StoreError when another process uses the store
 */
function putAside(dataFolder: string, now: number): string | null {
  const store = storeFile(dataFolder);
  const keyv = join(dataFolder, 'keyv.sqlite');
  if (![store, keyv, ...logs.map((log) => store + log)].some((file) => existsSync(file))) return null;
  const folder = newFolder(join(dataFolder, `before-restore-${timeInName(now)}`));
  try {
    putStoreAside(store, storeFile(folder));
    if (existsSync(keyv)) copyFileSync(keyv, join(folder, 'keyv.sqlite'));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

function newFolder(name: string): string {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? name : `${name}-${number}`;
    if (existsSync(folder)) continue;
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}

/** What SQLite puts beside a store. */
const logs = ['-wal', '-journal'] as const;

function putStoreAside(store: string, aside: string): void {
  // Opening a damaged store can lose its logs.
  for (const log of logs) if (existsSync(store + log)) copyFileSync(store + log, aside + log);
  const isSound = existsSync(store) && mergeLog(store);
  if (isSound) for (const log of logs) rmSync(aside + log, { force: true });
  const left = [...logs, '-shm'].filter((suffix) => existsSync(store + suffix));
  if (isSound && left.length > 0) {
    throw new StoreError(
      `another process is using ${store}, perhaps an import: end it, then try again. Nothing was changed.`,
    );
  }
  if (existsSync(store)) linkOrCopy(store, aside);
  // Those of a damaged or missing store: SQLite would write them into the restored one.
  for (const suffix of left) rmSync(store + suffix);
}

function linkOrCopy(file: string, target: string): void {
  try {
    linkSync(file, target);
  } catch {
    // A file system without hard links.
    copyFileSync(file, target);
  }
}

/**
 * Writes the write-ahead log into the store and deletes it, unless others use the store.
 * @returns false: the store is damaged
 */
function mergeLog(store: string): boolean {
  let sqlite: SQLiteDatabase | undefined;
  try {
    sqlite = new SQLite(store, { fileMustExist: true, timeout: busyTimeoutMs });
    // Rolls back what a killed process left unfinished.
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get();
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    return true;
  } catch (error) {
    if (!isDamage(String((error as { code?: unknown }).code))) throw error;
    return false;
  } finally {
    sqlite?.close();
  }
}

async function exchange(dataFolder: string, staging: string): Promise<void> {
  const store = storeFile(dataFolder);
  renameSync(storeFile(staging), store);
  await flush(dataFolder).catch(() => undefined);
  const keyv = join(dataFolder, 'keyv.sqlite');
  if (!canRead(keyv)) rmSync(keyv, { force: true });
  const small = await openSmallStore(dataFolder, pino({ level: 'silent' }));
  try {
    const { db, close } = await openWriter(store, { busyTimeoutMs });
    try {
      await finishRestore(db, small);
    } finally {
      await close();
    }
  } finally {
    await small.close();
  }
  closeToOthers(dataFolder);
}

function canRead(keyvFile: string): boolean {
  try {
    readBotValues(keyvFile);
    return true;
  } catch {
    return false;
  }
}
