import { closeSync, createReadStream, createWriteStream, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { StoreError } from '../../engine/error.ts';
import { ownership } from '../../engine/storage-errors.ts';
import { megabytes, tooLittleSpace, usableBytes } from './backup-folder.ts';
import type { CopyOptions } from './copy-store.ts';

const gzipMagic = Buffer.from([0x1f, 0x8b]);
/** What every file of SQLite begins with. */
const sqliteMagic = Buffer.from('SQLite format 3\0');
const noBackup = 'it is not a backup of Outpost';

export const unusable = (file: string, why: string): StoreError =>
  new StoreError(`${file} cannot be restored: ${why}. Nothing was changed.`);

/** @returns the size of a backup @throws StoreError when there is no such file, or gzip did not write it */
export function requireBackup(file: string): number {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw unusable(file, 'it is not a file');
    const start = Buffer.alloc(gzipMagic.length);
    const descriptor = openSync(file, 'r');
    readSync(descriptor, start);
    closeSync(descriptor);
    if (!start.equals(gzipMagic)) throw unusable(file, noBackup);
    return stats.size;
  } catch (error) {
    throw explained(file, error);
  }
}

/**
 * Unpacks a backup into a new file. The backup may come from anywhere, and a small one may hold a huge file, so at most half of
 * the free space is used: to erase players from the store may need as much again.
 * @throws StoreError when it is no backup, is damaged or too large; the signal's reason
 */
export async function unpackBackup(
  file: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<void> {
  const total = requireBackup(file);
  const folder = dirname(target);
  const most = (await usableBytes(folder)) / 2;
  const source = createReadStream(file);
  const checked = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      if (bytes === 0 && !chunk.subarray(0, sqliteMagic.length).equals(sqliteMagic))
        throw unusable(file, noBackup);
      bytes += chunk.length;
      if (bytes > most)
        throw tooLittleSpace(folder, `the restored store needs more than ${megabytes(most * 2)}`);
      onProgress?.({ step: 'read', done: source.bytesRead, total });
      yield chunk;
    }
  };
  const output = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await pipeline(source, createGunzip(), checked, output, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw explained(file, error);
  } finally {
    await closed;
  }
}

/** The error for the owner; one that is not about the backup stays as it is. */
function explained(file: string, error: unknown): unknown {
  const { code = '', message, path } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return unusable(file, 'its end is missing');
  if (code.startsWith('Z_'))
    return unusable(file, `it is damaged, or it is not a backup of Outpost (${message})`);
  if (error instanceof StoreError || path !== file) return error;
  if (code === 'ENOENT') return unusable(file, 'there is no such file');
  // As root copied it into a container.
  if (code === 'EACCES' && process.geteuid !== undefined)
    return unusable(file, `${ownership(file)}; give this user the right to read it`);
  return unusable(file, message);
}
