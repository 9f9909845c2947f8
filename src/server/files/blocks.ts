import { byteOrderMarkOf, decodeUtf16, longestMarkBytes, type Utf16 } from './utf16.ts';

/** The longest line that is read; longer ones are skipped. Real lines are below 400 bytes. */
export const maxLineBytes = 64 * 1024;

/** Bytes per read. */
export const readBytes = 256 * 1024;

/** A part of a file. Valid until the next one is requested. */
export interface Block {
  bytes: Buffer;
  /** The file offset after it. */
  end: number;
  /** False: a part of a line that is too long to be read. */
  lines: boolean;
  /** The last line of the file, which is not terminated (yet). */
  unfinished: boolean;
}

/** Where to start reading. */
export interface BlockStart {
  /** File offset in bytes: 0 or the end of a block. */
  position: number;
  /** Whether that offset is inside a line that is too long to be read. */
  skipping: boolean;
}

/** The source of blocks: a `FileHandle` or similar. It may return fewer bytes than requested. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

const lineFeed = 0x0a;

/**
 * Reads a file as blocks of whole lines: all its bytes in order, except a byte order mark, in bounded memory whatever
 * the file contains. A UTF-16 file is recognised by its mark and converted to UTF-8. The last line may be unfinished.
 * While one block is processed, the next is read.
 */
export async function* readBlocks(
  file: ByteSource,
  { position, skipping }: BlockStart = { position: 0, skipping: false },
): AsyncGenerator<Block, void, void> {
  // The unfinished line of a block is put in front of the next block, where there is room for it.
  let buffer = takeBuffer();
  let other = takeBuffer();
  const isStart = position === 0;
  const head = await readHead(file, isStart ? buffer.subarray(maxLineBytes) : Buffer.alloc(longestMarkBytes));
  const mark = byteOrderMarkOf(head);
  if (mark === 'incomplete') return;
  if (mark !== null && mark.encoding !== 'utf-8') {
    const from = { position: isStart ? mark.bytes : position, skipping };
    yield* readUtf16Blocks(
      file,
      mark.encoding,
      from,
      isStart ? Buffer.from(head.subarray(mark.bytes)) : null,
    );
    return;
  }
  let next = position;
  let start = maxLineBytes + (isStart ? (mark?.bytes ?? 0) : 0);
  let reading = isStart
    ? Promise.resolve({ bytesRead: head.length })
    : file.read(buffer, maxLineBytes, readBytes, next);
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

/** Maximum time between two turns of the event loop, in which timers, signals and other work run. */
const turnMs = 20;
let lastTurn = performance.now();

/** Reads of a local file or of a cached part complete without a turn of the event loop. */
async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < turnMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  lastTurn = performance.now();
}

/** Most logs are small: allocating new buffers for each would cost more than reading it. */
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 4;

function takeBuffer(): Buffer {
  return spareBuffers.pop() ?? Buffer.allocUnsafe(maxLineBytes + readBytes);
}

function giveBack(...buffers: Buffer[]): void {
  for (const buffer of buffers) if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer);
}

/** Copies the rest of one buffer in front of the data that is read into the other, and swaps the buffers. */
function carryOver(from: Buffer, to: Buffer, start: number, total: number) {
  const left = maxLineBytes - (total - start);
  from.copy(to, left, start, total);
  return { buffer: to, other: from, start: left };
}

/** Reads the start of a file: as much as it returns at once, but enough for a byte order mark if it is that long. */
async function readHead(file: ByteSource, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < longestMarkBytes) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** @param first the bytes at `position`, if they were read already */
async function* readUtf16Blocks(
  file: ByteSource,
  encoding: Utf16,
  { position, skipping }: BlockStart,
  first: Buffer | null,
): AsyncGenerator<Block, void, void> {
  let next = position;
  let rest = Buffer.alloc(0);
  for (let read = first ?? (await readAt(file, next)); ; read = await readAt(file, next)) {
    await giveTurn();
    next += read.length;
    const bytes = Buffer.concat([rest, read]);
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
    if (read.length === 0) {
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

async function readAt(file: ByteSource, position: number): Promise<Buffer> {
  const buffer = Buffer.alloc(readBytes);
  const { bytesRead } = await file.read(buffer, 0, readBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** The index of the first (`step` 1) or last (-1) line feed from an index on; -1: there is none. */
function feedAt(bytes: Buffer, from: number, encoding: Utf16, step: 1 | -1): number {
  const [low, high] = encoding === 'utf-16le' ? [0, 1] : [1, 0];
  const last = bytes.length - (bytes.length % 2) - 2;
  for (let at = step === 1 ? from : last; at >= from && at <= last; at += 2 * step) {
    if (bytes[at + low] === lineFeed && bytes[at + high] === 0) return at;
  }
  return -1;
}
