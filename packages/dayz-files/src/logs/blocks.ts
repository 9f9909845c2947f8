import { byteOrderMarkOf, decodeUtf16, longestMarkBytes } from '../utf16.ts';

/** The longest line that is read; longer ones are skipped. Real lines are below 400 bytes. */
export const maxLineBytes = 64 * 1024;

/** Bytes per read. */
export const readBytes = 256 * 1024;

/** A part of a file. Valid until the next one is requested. */
export interface Block {
  bytes: Buffer;
  /** The file offset after it. */
  end: number;
  /**
   * `lines`: whole lines. `unfinished-line`: the last line of the file, which is not terminated (yet). `part-of-line`: a part
   * of a line that is too long to be read.
   */
  kind: 'lines' | 'unfinished-line' | 'part-of-line';
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

/** Room in front of what is read, for the unfinished line of the block before: UTF-16 takes two bytes a character. */
const restBytes = 2 * maxLineBytes + 1;

const lineFeeds = {
  'utf-8': Buffer.from([0x0a]),
  'utf-16le': Buffer.from([0x0a, 0]),
  'utf-16be': Buffer.from([0, 0x0a]),
};

/**
 * Reads a file as blocks of whole lines: all its bytes in order, except a byte order mark, in bounded memory whatever
 * the file contains. A UTF-16 file is recognised by its mark and converted to UTF-8. The last line may be unfinished.
 * While one block is processed, the next is read.
 */
export async function* readBlocks(
  file: ByteSource,
  { position, skipping }: BlockStart = { position: 0, skipping: false },
): AsyncGenerator<Block, void, void> {
  let buffer = takeBuffer();
  let other = takeBuffer();
  const isStart = position === 0;
  const head = await readHead(file, isStart ? buffer.subarray(restBytes) : Buffer.alloc(longestMarkBytes));
  const mark = byteOrderMarkOf(head);
  if (mark === 'incomplete') return;
  const { encoding, bytes: markBytes } = mark ?? { encoding: 'utf-8', bytes: 0 };
  const lineFeed = lineFeeds[encoding];
  const unit = lineFeed.length;
  let next = position;
  let start = restBytes + (isStart ? markBytes : 0);
  let reading = isStart
    ? Promise.resolve({ bytesRead: head.length })
    : file.read(buffer, restBytes, readBytes, next);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      await giveTurn();
      next += bytesRead;
      const total = restBytes + bytesRead;
      // Half a character is left for the next block.
      const whole = total - ((total - start) % unit);
      const take = (to: number, kind: Block['kind']): Block => {
        const bytes = buffer.subarray(start, to);
        start = to;
        return {
          bytes: encoding === 'utf-8' ? bytes : decodeUtf16(bytes, encoding),
          end: next - (total - to),
          kind,
        };
      };
      if (bytesRead === 0) {
        if (whole > start) yield take(whole, skipping ? 'part-of-line' : 'unfinished-line');
        return;
      }
      reading = file.read(other, restBytes, readBytes, next);
      // Nobody waits for it while the block is processed; its failure is thrown after that.
      reading.catch(() => undefined);
      if (skipping && whole > start) {
        const feed = firstFeed(buffer.subarray(start, whole), lineFeed);
        skipping = feed < 0;
        yield take(feed < 0 ? whole : start + feed + unit, 'part-of-line');
      }
      const last = lastFeed(buffer.subarray(start, whole), lineFeed);
      if (last >= 0) yield take(start + last + unit, 'lines');
      if (whole - start > unit * maxLineBytes) {
        yield take(whole, 'part-of-line');
        skipping = true;
      }
      const rest = restBytes - (total - start);
      buffer.copy(other, rest, start, total);
      [buffer, other, start] = [other, buffer, rest];
    }
  } finally {
    await reading.catch(() => {});
    giveBack(buffer, other);
  }
}

/** The index of the first line feed; -1: there is none. The bytes of one may also be halves of two characters. */
function firstFeed(bytes: Buffer, lineFeed: Buffer): number {
  let at = bytes.indexOf(lineFeed);
  while (at >= 0 && at % lineFeed.length !== 0) at = bytes.indexOf(lineFeed, at + 1);
  return at;
}

function lastFeed(bytes: Buffer, lineFeed: Buffer): number {
  let at = bytes.lastIndexOf(lineFeed);
  while (at >= 0 && at % lineFeed.length !== 0) at = bytes.lastIndexOf(lineFeed, at - 1);
  return at;
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
  return spareBuffers.pop() ?? Buffer.allocUnsafe(restBytes + readBytes);
}

function giveBack(...buffers: Buffer[]): void {
  for (const buffer of buffers) if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer);
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
