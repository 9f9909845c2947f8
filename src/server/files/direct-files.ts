import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { ByteSource } from './blocks.ts';
import {
  type FileEntry,
  FileError,
  type FilePort,
  type FileRange,
  type Files,
  fileStat,
  type FileTraits,
} from './file-port.ts';

/** The files of this machine are cheap to poll. */
export const thisMachine: FileTraits = {
  readsFrom: true,
  pollEveryMs: 1_000,
  path,
};

/**
 * Accesses the files of this machine in the calling thread, which is blocked meanwhile: for the processes of
 * `LocalFiles`, and for commands on a file that the user names.
 */
export const directPort: FilePort = {
  ...thisMachine,

  async list(folder, { matching, stat }) {
    const wanted = stat === 'all' ? null : new Set(stat);
    const entries: FileEntry[] = [];
    for (const name of readdirSync(folder)) {
      if (!matching.test(name)) continue;
      const isWanted = wanted === null || wanted.has(name);
      const stats = isWanted ? statUnlessBroken(path.join(folder, name)) : undefined;
      entries.push({ name, stat: stats === undefined ? null : fileStat(stats) });
    }
    return entries;
  },

  async stat(file) {
    const stats = statSync(file);
    refuseOthers(stats);
    return fileStat(stats);
  },

  async read(file, ranges) {
    const descriptor = openRegular(file);
    try {
      const { size } = fstatSync(descriptor);
      const parts = ranges.map((range) => readRange(descriptor, range, size));
      // Taken after reading, so that the data is at most as new as this state.
      return { stat: fileStat(fstatSync(descriptor)), parts };
    } finally {
      closeSync(descriptor);
    }
  },
};

/** A link that leads nowhere, in a circle or into a closed folder says nothing of the files beside it. */
function statUnlessBroken(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (lstatSync(file).isSymbolicLink()) return undefined;
    throw error;
  }
}

export const directFiles: Files = { of: () => directPort };

/**
 * Opens a regular file for reading. Opening a named pipe would wait for a writer, and opening a device can have any
 * effect. So both are refused before, and again afterwards in case the file was replaced in between.
 */
function openRegular(file: string): number {
  refuseOthers(statSync(file));
  // Windows has neither the flag nor named pipes among its files.
  const nonBlocking = (constants.O_NONBLOCK as number | undefined) ?? 0;
  const descriptor = openSync(file, constants.O_RDONLY | nonBlocking);
  try {
    refuseOthers(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A file that is read in one go, directly into the reader's buffers. */
export function openDirect(file: string): ByteSource & { close(): void } {
  const descriptor = openRegular(file);
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

/** Most logs are far smaller than the requested range; allocating all of it would cost more than reading them. */
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
