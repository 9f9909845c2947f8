import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { diskSpace } from '../../engine/disk-space.ts';
import { StoreError } from '../../engine/error.ts';

/** @throws StoreError when a folder's disk has less space */
export async function requireFree(folder: string, bytes: number, what: string): Promise<void> {
  const { free } = await diskSpace(folder);
  if (free >= bytes) return;
  throw new StoreError(
    `${what} needs ${megabytes(bytes)} on the disk of ${folder}, which has ${megabytes(free)} left. Free some space, then try again.`,
  );
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576).toLocaleString('en-US')} MB`;

/** Passes data on and counts its bytes. */
export function counting(onCount: (bytes: number) => void): Transform {
  let count = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      try {
        onCount(count);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

export async function digestOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Waits until a file, or the names in a folder, are on the disk. Windows cannot do that for a folder. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, statSync(path).isDirectory() ? 'r' : 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
