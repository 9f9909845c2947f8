import type { FileHandle } from 'node:fs/promises';

/** Longest line that is read; what is longer is skipped. Real lines stay below 400 bytes. */
export const maxLineBytes = 64 * 1024;

const readBytes = 256 * 1024;

/** A piece of a file. `lines` false: a part of a line that is too long to be read. Valid until the next is asked for. */
export interface Block {
  bytes: Buffer;
  lines: boolean;
}

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a file as blocks of whole lines, all its bytes in order (a byte order mark excepted), in bounded memory
 * whatever the file holds. The last line need not end. While a block is worked on, the next is read.
 */
export async function* readBlocks(file: FileHandle): AsyncGenerator<Block, void, void> {
  // What a block leaves unfinished is put in front of the next, for which there is room.
  let buffer = Buffer.allocUnsafe(maxLineBytes + readBytes);
  let other = Buffer.allocUnsafe(maxLineBytes + readBytes);
  let reading = file.read(buffer, maxLineBytes, readBytes);
  let start = maxLineBytes;
  let first = true;
  let skipping = false;
  try {
    for (;;) {
      const total = maxLineBytes + (await reading).bytesRead;
      if (total === maxLineBytes) {
        if (start < total) yield { bytes: buffer.subarray(start, total), lines: !skipping };
        return;
      }
      reading = file.read(other, maxLineBytes, readBytes);
      if (first && buffer.subarray(start, total).indexOf(byteOrderMark) === 0) start += byteOrderMark.length;
      first = false;
      if (skipping) {
        const feed = buffer.subarray(start, total).indexOf(lineFeed);
        skipping = feed < 0;
        const end = feed < 0 ? total : start + feed + 1;
        yield { bytes: buffer.subarray(start, end), lines: false };
        start = end;
      }
      const end = start + buffer.subarray(start, total).lastIndexOf(lineFeed) + 1;
      if (end > start) yield { bytes: buffer.subarray(start, end), lines: true };
      start = end;
      if (total - start > maxLineBytes) {
        yield { bytes: buffer.subarray(start, total), lines: false };
        skipping = true;
        start = total;
      }
      buffer.copy(other, maxLineBytes - (total - start), start, total);
      start = maxLineBytes - (total - start);
      [buffer, other] = [other, buffer];
    }
  } finally {
    await reading.catch(() => {});
  }
}
