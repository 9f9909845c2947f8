import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { freeBytes } from '../../engine/disk-space.ts';
import { StoreError } from '../../engine/error.ts';

const extension = '.sqlite.gz';
/** Ends the names of files that are not complete. SQLite puts files of its own beside one that is a database. */
const partial = '.outpost-partial';
const isPartial = /\.outpost-partial(?:-wal|-shm|-journal)?$/;

/** Where backups are kept unless the owner names another place. */
export function backupFolder(dataFolder: string): string {
  return join(dataFolder, 'backups');
}

/** How the name of a backup begins: one by the owner's command, or at the times in the config. */
type BackupPrefix = 'outpost' | 'scheduled';

/** A new name in a folder, such as `outpost-2026-11-22T13-40-05Z.sqlite.gz`. */
export function newBackupFile(folder: string, prefix: BackupPrefix, now: number): string {
  return freeName(join(folder, `${prefix}-${timeInName(now)}`), extension);
}

/** The first of `base`, `base-2`, … that does not exist yet, complete or not. */
export function freeName(base: string, ending = ''): string {
  for (let number = 1; ; number += 1) {
    const name = `${base}${number === 1 ? '' : `-${number}`}${ending}`;
    if (![name, partialOf(name), partialOf(copyOf(name))].some((path) => existsSync(path))) return name;
  }
}

/** A moment in UTC as part of a file name. Windows allows no colons. */
export function timeInName(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
}

/** The name of the store's copy that a backup packs. */
export const copyOf = (file: string): string => `${file}.copy`;

/** The name of a file until it is complete. */
export const partialOf = (file: string): string => file + partial;

/** Deletes a file that is not complete, with what SQLite put beside it. */
export function removePartial(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(file + suffix, { force: true, maxRetries: 10 });
}

/** Longer than any step of a backup. */
const abandonedMs = 60 * 60_000;

/** Deletes unfinished backups in a folder whose processes were killed: those in which nothing was written for an hour. */
export function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => isPartial.test(name))) {
    const file = join(folder, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file, { force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** Deletes the oldest backups in a folder with a prefix, by the times in their names, so that `keep` are left. */
export function pruneBackups(folder: string, prefix: BackupPrefix, keep: number): void {
  const isMade = new RegExp(`^${prefix}-\\d{4}-\\d\\d-\\d\\dT[-\\d]+Z[-\\d]*$`);
  const made = readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => basename(name, extension))
    .filter((name) => isMade.test(name))
    .toSorted();
  for (const old of made.slice(0, Math.max(0, made.length - keep)))
    rmSync(join(folder, old + extension), { force: true });
}

/** Left free on a disk for the service that runs beside. */
const reserveBytes = 32 * 1024 * 1024;

/** How much may be written to a folder's disk. */
export async function usableBytes(folder: string): Promise<number> {
  return Math.max(0, (await freeBytes(folder)) - reserveBytes);
}

export const tooLittleSpace = (folder: string, what: string): StoreError =>
  new StoreError(
    `${what} on the disk of ${folder}, which has too little left. Free some space, then try again.`,
  );

export const megabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_048_576).toLocaleString('en-US')} MB`;

/** Waits until a file, or the names in a folder, are on the disk. Windows cannot do that for a folder. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, statSync(path).isDirectory() ? 'r' : 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
