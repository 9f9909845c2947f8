import { dirname, join } from 'node:path';
import { isLocked, lockFile } from '../folder-lock.ts';

const lockOf = (store: string): string => join(dirname(store), 'outpost.lock.rewrite');

/**
 * Runs work that writes a whole store anew. It takes as long as the disk needs for the file, so other writers wait for its
 * end, however short their own patience is.
 */
export async function rewriting<T>(store: string, work: () => Promise<T>): Promise<T> {
  const lock = lockFile(lockOf(store));
  try {
    return await work();
  } finally {
    lock?.release();
  }
}

/** Whether a process is writing the store anew. */
export function isRewritten(store: string): boolean {
  try {
    return isLocked(lockOf(store));
  } catch {
    return false;
  }
}
