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
 * whatever the file holds. The last line need not end. Each read gives the event loop a turn.
 */
export async function* readBlocks(file: FileHandle): AsyncGenerator<Block, void, void> {
  const buffer = Buffer.allocUnsafe(maxLineBytes + readBytes);
  let held = 0;
  let first = true;
  let skipping = false;
  for (;;) {
    const { bytesRead } = await file.read(buffer, held, readBytes);
    let total = held + bytesRead;
    if (first && total >= byteOrderMark.length) {
      first = false;
      if (buffer.subarray(0, byteOrderMark.length).equals(byteOrderMark)) {
        total = buffer.copy(buffer, 0, byteOrderMark.length, total);
      }
    }
    if (bytesRead === 0) {
      if (total > 0) yield { bytes: buffer.subarray(0, total), lines: !skipping };
      return;
    }
    let start = 0;
    if (skipping) {
      const end = buffer.subarray(0, total).indexOf(lineFeed) + 1;
      if (end > 0) skipping = false;
      start = end > 0 ? end : total;
      yield { bytes: buffer.subarray(0, start), lines: false };
    }
    const end = total === start ? start : start + buffer.subarray(start, total).lastIndexOf(lineFeed) + 1;
    if (end > start) yield { bytes: buffer.subarray(start, end), lines: true };
    held = buffer.copy(buffer, 0, end, total);
    if (held > maxLineBytes) {
      yield { bytes: buffer.subarray(0, held), lines: false };
      skipping = true;
      held = 0;
    }
  }
}
