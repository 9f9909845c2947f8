import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Logs of a busy evening and SQLite's own files need this much. */
export const leastFreeBytes = 64 * 1024 ** 2;

/** Bytes that this user may still write on the disk with a folder, or with the nearest folder above it that exists. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(nearestExisting(folder));
  return bavail * bsize;
}

export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
