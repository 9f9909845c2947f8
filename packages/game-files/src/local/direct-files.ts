import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type ByteSource,
  type FileEntry,
  FileError,
  type FileParts,
  type FileAccess,
  type FileRange,
  type FileStat,
  type ListedFiles,
} from '../file-access.ts';

/** The files of this machine, without deadlines: a request to a share that hangs waits until that answers. */
export const directFiles: FileAccess = {
  pollEveryMs: 1_000,
  stepBytes: 256 * 1024,
  path,
  list: async (...args) => await listFolder(...args).catch(throwFileError),
  stat: async (...args) => await statFile(...args).catch(throwFileError),
  read: async (...args) => await readFile(...args).catch(throwFileError),
};

function throwFileError(error: unknown): never {
  if (error instanceof FileError) throw error;
  const { code, message } = error as NodeJS.ErrnoException;
  throw new FileError({ code, message });
}

async function listFolder(folder: string, { matching, stat: asked }: ListedFiles): Promise<FileEntry[]> {
  const wanted = asked === 'all' ? null : new Set(asked);
  const entries: FileEntry[] = [];
  for (const name of await readdir(folder)) {
    if (!matching.test(name)) continue;
    const isWanted = wanted === null || wanted.has(name);
    // One after the other: each request to a share that hangs takes one of Node's few threads.
    const stats = isWanted ? await statUnlessBroken(path.join(folder, name)) : undefined;
    entries.push({ name, stat: stats === undefined ? null : fileStat(stats) });
  }
  return entries;
}

async function statFile(file: string): Promise<FileStat> {
  const stats = await stat(file);
  requireRegularFile(stats);
  return fileStat(stats);
}

async function readFile(file: string, ranges: readonly FileRange[]): Promise<FileParts> {
  requireRegularFile(await stat(file));
  const handle = await open(file, readOnly);
  try {
    const stats = await handle.stat();
    requireRegularFile(stats);
    const parts: Buffer[] = [];
    for (const range of ranges) parts.push(await readRange(handle, range, stats.size));
    // Taken after reading, so that the data is at most as new as this state.
    return { stat: fileStat(await handle.stat()), parts };
  } finally {
    await handle.close();
  }
}

/** A broken link (to nothing, in a circle, into a closed folder) has no state, and does not fail the listing. */
async function statUnlessBroken(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (await lstat(file)).isSymbolicLink()) {
      return undefined;
    }
    throw error;
  }
}

/** `identity` is the number of its inode. */
function fileStat({ size, mtimeMs, ino }: Stats): FileStat {
  return { size, changedAt: mtimeMs, identity: String(ino) };
}

/**
 * Opening a named pipe would wait for a writer, and opening a device can have any effect. So both are refused before a file
 * is opened, and afterwards in case it was replaced in between. Windows has neither the flag nor named pipes among its files.
 */
const readOnly = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

/** A file that an import reads in one go, in the calling thread and directly into the reader's buffers. */
export function openDirect(file: string): ByteSource & { close(): void } {
  requireRegularFile(statSync(file));
  const descriptor = openSync(file, readOnly);
  const close = (): void => closeSync(descriptor);
  try {
    requireRegularFile(fstatSync(descriptor));
  } catch (error) {
    close();
    throw error;
  }
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: readSync(descriptor, buffer, offset, length, position),
    }),
    close,
  };
}

function requireRegularFile(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileError({ code: 'EISDIR', message: 'is a folder' });
  const kind = stats.isFIFO() ? 'a named pipe (FIFO)' : stats.isSocket() ? 'a socket' : 'a device';
  throw new FileError({ code: 'ENOTFILE', message: `is ${kind}, a regular file was expected` });
}

/** Most logs are far smaller than the requested range; allocating all of it would cost more than reading them. */
async function readRange(handle: FileHandle, { offset, length }: FileRange, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(length, Math.max(0, size - offset)));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
