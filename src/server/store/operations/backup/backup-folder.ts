import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Manifest } from './manifest.ts';

const extension = '.tar.gz';
/** Added to the name of a backup that is not complete. */
const partial = '.outpost-partial';

/** Where backups are kept unless the owner names another place. */
export function backupFolder(dataFolder: string): string {
  return join(dataFolder, 'backups');
}

const prefixes: Record<Manifest['reason'], string> = {
  command: 'outpost',
  schedule: 'scheduled',
};

/** A new name in a folder, such as `outpost-2026-11-22T13-40-05Z.tar.gz`. */
export function newBackupFile(folder: string, reason: Manifest['reason'], now: number): string {
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

/** The folder in which a backup is made before it gets its name. */
export const stagingOf = (file: string): string => file + partial;

/**
 * Deletes unfinished backups in a folder whose processes were killed: those in which nothing has been written for so long. Where
 * other data folders have their backups as well, an hour is long enough for any step of one.
 * @param untouchedMs left out: all are deleted, also those that the clock calls newer than now
 */
export function removeUnfinished(folder: string, untouchedMs = -Infinity): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((name) => name.endsWith(partial))) {
    const staging = join(folder, name);
    const paths = [staging, ...readdirSync(staging).map((file) => join(staging, file))];
    const changedAt = Math.max(...paths.map((path) => statSync(path).mtimeMs));
    if (Date.now() - changedAt >= untouchedMs) rmSync(staging, { recursive: true, force: true });
  }
}

/** Deletes the oldest backups in the data folder made for a reason, by the times in their names, so that `keep` are left. */
export function pruneBackups(dataFolder: string, reason: Manifest['reason'], keep: number): void {
  const folder = backupFolder(dataFolder);
  const isMade = new RegExp(`^${prefixes[reason]}-\\d{4}-\\d\\d-\\d\\dT[-\\d]+Z[-\\d]*$`);
  const made = readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => basename(name, extension))
    .filter((name) => isMade.test(name))
    .toSorted();
  for (const old of made.slice(0, Math.max(0, made.length - keep)))
    rmSync(join(folder, old + extension), { force: true });
}
