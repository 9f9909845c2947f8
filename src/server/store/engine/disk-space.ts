import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The state of a disk. */
export interface DiskSpace {
  /** Bytes that this user may still write. */
  free: number;
  /** The file system's magic number; 0: unknown. */
  type: number;
}

/** Logs of a busy evening and SQLite's own files need this much. */
export const leastFreeBytes = 64 * 1024 ** 2;

/** The disk with a folder, or with the nearest folder above it that exists. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, bsize, type } = await statfs(nearestExisting(folder));
  return { free: bavail * bsize, type };
}

export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
