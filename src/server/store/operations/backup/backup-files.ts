import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { freeBytes } from '../../engine/disk-space.ts';
import { StoreError } from '../../engine/error.ts';

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
