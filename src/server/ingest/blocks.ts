/** Longest line that is read; what is longer is skipped. Real lines stay below 400 bytes. */
export const maxLineBytes = 64 * 1024;

/** So much is asked for at once. */
export const readBytes = 256 * 1024;

/** A piece of a file. Valid until the next is asked for. */
export interface Block {
  bytes: Buffer;
  /** Offset into the file after it. */
  end: number;
  /** False: a part of a line that is too long to be read. */
  lines: boolean;
  /** The last line of the file, which has not ended (yet). */
  unfinished: boolean;
}

/** From where to read on. */
export interface BlockStart {
  /** Offset into the file, bytes: 0 or where a block ended. */
  position: number;
  /** Whether that was inside a line that is too long to be read. */
  skipping: boolean;
}

/** What blocks are read from: a `FileHandle`, or anything else. It may return fewer bytes than asked for. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a file as blocks of whole lines, all its bytes in order (a byte order mark excepted), in bounded memory
 * whatever the file holds. The last line need not end. While a block is worked on, the next is read.
 */
export async function* readBlocks(
  file: ByteSource,
  { position, skipping }: BlockStart = { position: 0, skipping: false },
): AsyncGenerator<Block, void, void> {
  // What a block leaves unfinished is put in front of the next, for which there is room.
  let buffer = takeBuffer();
  let other = takeBuffer();
  let next = position;
  let reading = file.read(buffer, maxLineBytes, readBytes, next);
  let start = maxLineBytes;
  let first = position === 0;
  try {
    for (;;) {
      const { bytesRead } = await reading;
      const total = maxLineBytes + bytesRead;
      const block = (from: number, to: number, lines: boolean): Block => ({
        bytes: buffer.subarray(from, to),
        end: next - (total - to),
        lines,
        unfinished: false,
      });
      if (bytesRead === 0) {
        if (start < total) {
          yield { ...block(start, total, !skipping), unfinished: !skipping };
        }
        return;
      }
      next += bytesRead;
      reading = file.read(other, maxLineBytes, readBytes, next);
      if (first) {
        const missing = byteOrderMark.length - (total - start);
        // A file may come byte by byte: whether it begins with the mark is seen when there is enough of it.
        if (missing > 0 && byteOrderMark.indexOf(buffer.subarray(start, total)) === 0) {
          ({ buffer, other, start } = carryOver(buffer, other, start, total));
          continue;
        }
        if (buffer.subarray(start, total).indexOf(byteOrderMark) === 0) start += byteOrderMark.length;
        first = false;
      }
      if (skipping) {
        const feed = buffer.subarray(start, total).indexOf(lineFeed);
        skipping = feed < 0;
        const end = feed < 0 ? total : start + feed + 1;
        yield block(start, end, false);
        start = end;
      }
      const end = start + buffer.subarray(start, total).lastIndexOf(lineFeed) + 1;
      if (end > start) yield block(start, end, true);
      start = end;
      if (total - start > maxLineBytes) {
        yield block(start, total, false);
        skipping = true;
        start = total;
      }
      ({ buffer, other, start } = carryOver(buffer, other, start, total));
    }
  } finally {
    await reading.catch(() => {});
    giveBack(buffer, other);
  }
}

/** Most logs are small: room for each anew would cost more than reading it. */
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 4;

function takeBuffer(): Buffer {
  return spareBuffers.pop() ?? Buffer.allocUnsafe(maxLineBytes + readBytes);
}

function giveBack(...buffers: Buffer[]): void {
  for (const buffer of buffers) if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer);
}

/** Puts what is left of one buffer in front of what is read into the other, and has them change places. */
function carryOver(from: Buffer, to: Buffer, start: number, total: number) {
  const left = maxLineBytes - (total - start);
  from.copy(to, left, start, total);
  return { buffer: to, other: from, start: left };
}
