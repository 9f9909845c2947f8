import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';
import { readManifest } from './read-archive.ts';

/** A backup in the data folder. */
interface StoredBackup {
  file: string;
  bytes: number;
  manifest: Manifest;
}

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
  update: 'before-update',
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

/** Deletes what backups left behind whose process was killed. Nobody else may be making one. */
export function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((name) => name.endsWith(partial))) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** No step of a backup writes nothing for so long. */
const abandonedMs = 60 * 60_000;

/**
 * Deletes unfinished backups in a folder that other data folders may use, too: those in which nothing has been written for
 * an hour.
 */
export function removeAbandoned(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(partial))) {
    const staging = join(folder, name);
    const paths = [staging, ...readdirSync(staging).map((file) => join(staging, file))];
    const changedAt = Math.max(...paths.map((path) => statSync(path).mtimeMs));
    if (now - changedAt > abandonedMs) rmSync(staging, { recursive: true, force: true });
  }
}

/** The complete backups in the data folder, oldest first. Other files are left out. */
export async function listBackups(dataFolder: string): Promise<StoredBackup[]> {
  const folder = backupFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const backups: StoredBackup[] = [];
  for (const name of readdirSync(folder).filter((name) => name.endsWith(extension))) {
    const file = join(folder, name);
    const manifest = await readManifest(file).catch(() => null);
    if (manifest !== null) backups.push({ file, bytes: statSync(file).size, manifest });
  }
  return backups.toSorted((one, other) => one.manifest.createdAt.localeCompare(other.manifest.createdAt));
}

/** Deletes the oldest backups made for a reason, so that `keep` are left. @returns the deleted files */
export async function pruneBackups(
  dataFolder: string,
  reason: Manifest['reason'],
  keep: number,
): Promise<string[]> {
  const made = (await listBackups(dataFolder)).filter(({ manifest }) => manifest.reason === reason);
  const old = made.slice(0, Math.max(0, made.length - keep)).map(({ file }) => file);
  for (const file of old) rmSync(file, { force: true });
  return old;
}
