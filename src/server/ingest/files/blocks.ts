import { type Utf16, decodeUtf16, utf16ByMark } from './utf16.ts';

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
 * whatever the file holds. A file of UTF-16, which its byte order mark tells, comes as UTF-8. The last line need not end. While a block is worked on, the next is read.
 */
export async function* readBlocks(
  file: ByteSource,
  { position, skipping }: BlockStart = { position: 0, skipping: false },
): AsyncGenerator<Block, void, void> {
  const encoding = await utf16Of(file);
  if (encoding === 'undecided') return;
  if (encoding !== null) {
    yield* readUtf16Blocks(file, encoding, { position, skipping });
    return;
  }
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
      await giveTurn();
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

/** So long the event loop may wait for its next turn; timers, signals and whoever else works here come in between. */
const turnMs = 20;
let lastTurn = performance.now();

/** A file that is read directly, or a part that is at hand, comes without a turn of the event loop. */
async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < turnMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  lastTurn = performance.now();
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

/** By the mark at the beginning of the file; null: it is none; `undecided`: there is half a mark so far. */
async function utf16Of(file: ByteSource): Promise<Utf16 | 'undecided' | null> {
  const head = Buffer.alloc(2);
  let filled = 0;
  while (filled < head.length) {
    const { bytesRead } = await file.read(head, filled, head.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled === 1) return head[0] === 0xff || head[0] === 0xfe ? 'undecided' : null;
  return utf16ByMark(head);
}

async function* readUtf16Blocks(
  file: ByteSource,
  encoding: Utf16,
  { position, skipping }: BlockStart,
): AsyncGenerator<Block, void, void> {
  let next = Math.max(position, 2);
  let rest = Buffer.alloc(0);
  for (;;) {
    const read = Buffer.alloc(readBytes);
    const { bytesRead } = await file.read(read, 0, readBytes, next);
    await giveTurn();
    next += bytesRead;
    const bytes = Buffer.concat([rest, read.subarray(0, bytesRead)]);
    let start = 0;
    const take = (to: number, lines: boolean, unfinished = false): Block => {
      const block = {
        bytes: decodeUtf16(bytes.subarray(start, to), encoding),
        end: next - (bytes.length - to),
        lines,
        unfinished,
      };
      start = to;
      return block;
    };
    const whole = bytes.length - (bytes.length % 2);
    if (bytesRead === 0) {
      if (whole > 0) yield take(whole, !skipping, !skipping);
      return;
    }
    if (skipping) {
      const feed = feedAt(bytes, 0, encoding, 1);
      skipping = feed < 0;
      if (whole > 0) yield take(feed < 0 ? whole : feed + 2, false);
    }
    const last = feedAt(bytes, start, encoding, -1);
    if (last >= start) yield take(last + 2, true);
    if (whole - start > 2 * maxLineBytes) {
      yield take(whole, false);
      skipping = true;
    }
    rest = bytes.subarray(start);
  }
}

/** Where the first (`step` 1) or last (-1) line feed from an index on stands; -1: there is none. */
function feedAt(bytes: Buffer, from: number, encoding: Utf16, step: 1 | -1): number {
  const [low, high] = encoding === 'utf-16le' ? [0, 1] : [1, 0];
  const last = bytes.length - (bytes.length % 2) - 2;
  for (let at = step === 1 ? from : last; at >= from && at <= last; at += 2 * step) {
    if (bytes[at + low] === lineFeed && bytes[at + high] === 0) return at;
  }
  return -1;
}
