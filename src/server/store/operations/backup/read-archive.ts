import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ReadEntry } from 'tar';
import { StoreError } from '../../engine/error.ts';
import { ownership } from '../../engine/storage-errors.ts';
import { requireFree } from './backup-files.ts';
import type { CopyOptions } from './copy-store.ts';
import {
  type ContentEntry,
  entriesOf,
  largestManifest,
  type Manifest,
  manifestEntry,
  parseManifest,
} from './manifest.ts';

/** For the headers and padding of three entries, and what is read ahead of the manifest. */
const overheadBytes = 1024 * 1024;
/** Left free on the disk to which a backup is extracted. */
const reserveBytes = 32 * 1024 * 1024;

export const unusable = (file: string, why: string): StoreError =>
  new StoreError(`${file} cannot be restored: ${why}. Nothing was changed.`);

/**
 * Extracts a backup into an empty folder. The file may come from anywhere: its entries are written under names of our
 * own, and no more of them than its manifest says, which has to fit on the disk.
 * @throws StoreError when it is no backup, or is damaged or not whole; the signal's reason
 */
export async function extractBackup(
  file: string,
  folder: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let left: ContentEntry[] = [];
  const limit = { bytes: largestManifest + overheadBytes };

  async function take(entry: ReadEntry): Promise<void> {
    if (manifest === undefined) {
      manifest = await manifestIn(file, entry);
      left = entriesOf(manifest);
      const bytes = left.reduce((sum, name) => sum + (manifest?.entries[name]?.bytes ?? 0), 0);
      limit.bytes += bytes;
      // The step that migrates the store may need as much again.
      await requireFree(folder, bytes * 2 + reserveBytes, 'the restored store');
      return;
    }
    const name = left.shift();
    requireEntry(file, entry, name);
    const expected = manifest.entries[name];
    if (entry.size !== expected?.bytes)
      throw unusable(file, `${name} has not the size that its manifest says`);
    const hash = createHash('sha256');
    const target = createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 });
    await pipeline(async function* () {
      for await (const chunk of entry) {
        hash.update(chunk);
        yield chunk;
      }
    }, target);
    if (hash.digest('hex') !== expected.sha256)
      throw unusable(file, `${name} is damaged: its digest is another one`);
  }

  const total = sizeOf(file);
  await readEntries(file, take, {
    limit: () => limit.bytes,
    signal,
    onRead: (done) => onProgress?.({ step: 'read', done, total }),
  });
  if (manifest === undefined || left.length > 0) throw unusable(file, 'it is not a whole backup');
  return manifest;
}

/** Reads only what a backup is. @throws StoreError */
export async function readManifest(file: string): Promise<Manifest> {
  let manifest: Manifest | undefined;
  const found = new AbortController();
  const limit = () => largestManifest + overheadBytes;
  const take = async (entry: ReadEntry): Promise<void> => {
    manifest = await manifestIn(file, entry);
    found.abort();
  };
  await readEntries(file, take, { limit, signal: found.signal }).catch((error: unknown) => {
    if (manifest === undefined) throw error;
  });
  if (manifest === undefined) throw unusable(file, 'it is not a backup of Outpost');
  return manifest;
}

async function manifestIn(file: string, entry: ReadEntry): Promise<Manifest> {
  requireEntry(file, entry, manifestEntry);
  if (entry.size > largestManifest) throw unusable(file, 'its manifest is too large');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  const manifest = parseManifest(Buffer.concat(chunks).toString('utf8'));
  if (manifest !== null) return manifest;
  throw unusable(file, 'its manifest is not one that this version of Outpost can read');
}

function requireEntry<Name extends string>(
  file: string,
  { path, type }: ReadEntry,
  name: Name | undefined,
): asserts name is Name {
  if (path === name && type === 'File') return;
  const expected = name === undefined ? 'no more entries' : `the file ${name}`;
  throw unusable(file, `expected ${expected}, found ${JSON.stringify(path.slice(0, 200))} (${type})`);
}

interface ReadOptions {
  /** How many bytes may come out of the compressed file. */
  limit: () => number;
  signal?: AbortSignal | undefined;
  onRead?: (bytes: number) => void;
}

/** Calls `take` with each entry, one after the other. @throws its errors, and StoreError for what is no such archive */
async function readEntries(
  file: string,
  take: (entry: ReadEntry) => Promise<void>,
  { limit, signal, onRead }: ReadOptions,
): Promise<void> {
  sizeOf(file);
  let taking: Promise<void> = Promise.resolve();
  const failed = new AbortController();
  const fail = (error: unknown): void => failed.abort(error);
  const { Parser } = await import('tar');
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      taking = taking.then(() => take(entry));
      taking.catch(fail);
    },
  });
  parser.on('error', fail);
  const ended = once(parser, 'end', { signal: failed.signal });
  ended.catch(() => undefined);
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.once('error', (error) => unzipped.destroy(error));
  try {
    let read = 0;
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      failed.signal.throwIfAborted();
      // The parser would unpack another compressed file inside.
      if (read === 0 && !chunk.subarray(0, manifestEntry.length).equals(Buffer.from(manifestEntry))) {
        throw unusable(file, 'it is not a backup of Outpost');
      }
      read += chunk.length;
      if (read > limit()) throw unusable(file, 'it holds more than its manifest says');
      onRead?.(source.bytesRead);
      if (!parser.write(chunk)) await once(parser, 'drain', { signal: failed.signal });
    }
    parser.end();
    await ended;
    await taking;
  } catch (error) {
    signal?.throwIfAborted();
    const cause: unknown = failed.signal.aborted ? failed.signal.reason : error;
    throw cause instanceof StoreError ? cause : (explained(file, cause) ?? cause);
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

/** @throws StoreError when there is no such file */
function sizeOf(file: string): number {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw explained(file, error) ?? unusable(file, code === 'ENOENT' ? 'there is no such file' : message);
  }
  throw unusable(file, 'it is not a file');
}

function explained(file: string, error: unknown): StoreError | null {
  const { code = '', message, path } = error as NodeJS.ErrnoException;
  // As root copied it into a container.
  if (code === 'EACCES' && path === file && process.geteuid !== undefined)
    return unusable(file, `${ownership(file)}; give this user the right to read it`);
  if (code === 'Z_BUF_ERROR') return unusable(file, 'its end is missing');
  if (code === 'Z_DATA_ERROR')
    return unusable(file, `it is damaged, or not a backup of Outpost (${message})`);
  if (code.startsWith('TAR_') || code.startsWith('Z_')) return unusable(file, `it is damaged (${message})`);
  return ['EACCES', 'EPERM', 'EISDIR'].includes(code) ? unusable(file, message) : null;
}
