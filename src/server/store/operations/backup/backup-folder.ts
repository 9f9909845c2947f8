import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const extension = '.sqlite.gz';
/** Ends the names of files that are not complete. SQLite puts files of its own beside one that is a database. */
const partial = '.outpost-partial';
const isPartial = /\.outpost-partial(?:-wal|-shm|-journal)?$/;

/** Where backups are kept unless the owner names another place. */
export function backupFolder(dataFolder: string): string {
  return join(dataFolder, 'backups');
}

/** By the owner's command, or at the times in the config. */
export type BackupReason = 'command' | 'schedule';

const prefixes: Record<BackupReason, string> = {
  command: 'outpost',
  schedule: 'scheduled',
};

/** A new name in a folder, such as `outpost-2026-11-22T13-40-05Z.sqlite.gz`. */
export function newBackupFile(folder: string, reason: BackupReason, now: number): string {
  return freeName(join(folder, `${prefixes[reason]}-${timeInName(now)}`), extension);
}

/** The first of `base`, `base-2`, … that does not exist yet. */
export function freeName(base: string, ending = ''): string {
  for (let number = 1; ; number += 1) {
    const name = `${base}${number === 1 ? '' : `-${number}`}${ending}`;
    if (!existsSync(name)) return name;
  }
}

/** A moment in UTC as part of a file name. Windows allows no colons. */
export function timeInName(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
}

/** The name of a file until it is complete. */
export const partialOf = (file: string): string => file + partial;

/** Deletes a file that is not complete, with what SQLite put beside it. */
export function removePartial(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(file + suffix, { force: true, maxRetries: 10 });
}

/**
 * Deletes unfinished backups in a folder whose processes were killed: those in which nothing has been written for so long. Where
 * other data folders have their backups as well, an hour is long enough for any step of one.
 * @param untouchedMs left out: all are deleted, also those that the clock calls newer than now
 */
export function removeUnfinished(folder: string, untouchedMs = -Infinity): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((name) => isPartial.test(name))) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs >= untouchedMs) rmSync(file, { force: true });
  }
}

/** Deletes the oldest backups in a folder made for a reason, by the times in their names, so that `keep` are left. */
export function pruneBackups(folder: string, reason: BackupReason, keep: number): void {
  const isMade = new RegExp(`^${prefixes[reason]}-\\d{4}-\\d\\d-\\d\\dT[-\\d]+Z[-\\d]*$`);
  const made = readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => basename(name, extension))
    .filter((name) => isMade.test(name))
    .toSorted();
  for (const old of made.slice(0, Math.max(0, made.length - keep)))
    rmSync(join(folder, old + extension), { force: true });
}
