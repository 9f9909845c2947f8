import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from './blocks.ts';
import { replaceFile } from './replace-file.ts';
import {
  type FileEntry,
  FileError,
  type FilePort,
  type FileRange,
  type Files,
  type FileStat,
  stampOf,
} from './file-port.ts';

/**
 * The files of this machine, reached by the calling thread, which stands still meanwhile: for the processes of
 * `LocalFiles`, and for commands on a file that their user names.
 */
export const directPort: FilePort = {
  async list(folder, { matching, stat }) {
    const wanted = stat === 'all' ? null : new Set(stat);
    const entries: FileEntry[] = [];
    for (const name of readdirSync(folder)) {
      if (!matching.test(name)) continue;
      const isWanted = wanted === null || wanted.has(name);
      const stats = isWanted ? statSync(join(folder, name), { throwIfNoEntry: false }) : undefined;
      entries.push({ name, stat: stats === undefined ? null : fileStat(stats) });
    }
    return entries;
  },

  async stat(path) {
    const stats = statSync(path);
    refuseOthers(stats);
    return fileStat(stats);
  },

  async read(path, ranges) {
    const descriptor = openRegular(path);
    try {
      const { size } = fstatSync(descriptor);
      const parts = ranges.map((range) => readRange(descriptor, range, size));
      // Afterwards: what was read is at most as new as this.
      return { stat: fileStat(fstatSync(descriptor)), parts };
    } finally {
      closeSync(descriptor);
    }
  },

  async replace(path, content, expected) {
    if (expected !== null) refuseOthers(statSync(path));
    await replaceFile(path, content, expected && stampOf(expected));
  },

  async checkWritable(path) {
    await access(path, constants.W_OK);
  },
};

export const directFiles: Files = { of: () => directPort };

/**
 * Opens a regular file for reading. Opening a named pipe would wait for a writer, and opening a device can do anything,
 * so both are refused before, and again afterwards in case the file was replaced in between.
 */
export function openRegular(path: string): number {
  refuseOthers(statSync(path));
  // Windows has neither the flag nor pipes among its files.
  const nonBlocking = (constants.O_NONBLOCK as number | undefined) ?? 0;
  const descriptor = openSync(path, constants.O_RDONLY | nonBlocking);
  try {
    refuseOthers(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A file that is read in one go: straight into the reader's own buffers. */
export function openDirect(path: string): ByteSource & { close(): void } {
  const descriptor = openRegular(path);
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: readSync(descriptor, buffer, offset, length, position),
    }),
    close: () => closeSync(descriptor),
  };
}

function refuseOthers(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileError({ code: 'EISDIR', message: 'is a folder' });
  const kind = stats.isFIFO() ? 'a named pipe (FIFO)' : stats.isSocket() ? 'a socket' : 'a device';
  throw new FileError({ code: 'ENOTFILE', message: `is ${kind}, a regular file was expected` });
}

function fileStat({ size, mtimeMs, ino }: Stats): FileStat {
  return { size, changedAt: mtimeMs, identity: String(ino) };
}

/** Most logs are far smaller than what is asked for; room for all of that would cost more than reading them. */
function readRange(descriptor: number, { offset, length }: FileRange, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.min(length, Math.max(0, size - offset)));
  let filled = 0;
  while (filled < buffer.length) {
    const bytes = readSync(descriptor, buffer, filled, buffer.length - filled, offset + filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}
