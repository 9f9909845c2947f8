import { readAdminLogLine } from './admin-log-line.ts';
import { type Block, type ByteSource, maxLineBytes, readBlocks } from '../../ingest/files/blocks.ts';
import type { EventSink } from '../../ingest/counting/events.ts';
import {
  type ClockState,
  isLocalTime,
  type LocalZone,
  RunClock,
  timeOfDayMs,
} from '../../ingest/logs/local-clock.ts';
import { type DigestState, RunDigest } from '../../ingest/logs/run-digest.ts';
import { decodeRaw, linesOf, rawPiecesOf } from '../../ingest/files/text.ts';
import { Vocabulary } from './vocabulary.ts';

/** A run as its file holds it: from its header to the next or the end. Carriage returns are left out of account. */
export interface RunText {
  /** `2021-03-31 21:12:34`, the server's local time. */
  header: string;
  startedAt: number;
  /** The latest moment of any line. */
  lastSeenAt: number;
  bytes: number;
  /** See `RunDigest`. */
  digest: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the zone. */
  isOffZone?: boolean;
  /** Digest of the first `prefixBytes` bytes that the caller asked for; null when the run is shorter. */
  prefixDigest: string | null;
}

/** Takes what a reader finds. `begin` says how many bytes of a known copy are to be compared (0: none). */
export interface AdminLogVisitor {
  begin(header: string, startedAt: number): { sink: EventSink; prefixBytes: number };
  end(run: RunText): void;
  /** A line that no rule knows. */
  unread?(line: string): void;
}

export interface AdminLogSummary {
  runs: number;
  /** Lines before the first header, of which nothing is known but their time of day. */
  strayLines: number;
  /** The file holds at most blank lines and rows of asterisks: a log about to begin. */
  empty: boolean;
}

/** Where a reader stands in a run, to be gone on with; plain data. */
export interface RunCheckpoint {
  header: string;
  startedAt: number;
  lastSeenAt: number;
  clock: ClockState;
  digest: DigestState;
  lines: number;
  unreadLines: number;
  /** Whether the latest block ended inside a line that is too long to be read. */
  overlong: boolean;
  /** Whether the latest line is one that can go on in the next without a time; absent: it is not. */
  continues?: boolean;
}

/**
 * Reads an admin log of any age: the events of each run in order to the visitor's sink. Memory is bounded.
 * @param onBytes told of the bytes and lines of each block read
 * @param words to be shared by the readings of many files
 * @throws the signal's reason at the next block once it is aborted
 */
export async function readAdminLog(
  file: ByteSource,
  zone: LocalZone,
  visitor: AdminLogVisitor,
  onBytes: (bytes: number, lines: number) => void = () => {},
  signal?: AbortSignal,
  words = rawVocabulary(),
): Promise<AdminLogSummary> {
  const reader = new AdminLogReader(zone, visitor, undefined, words);
  for await (const block of readBlocks(file)) {
    signal?.throwIfAborted();
    onBytes(block.bytes.length, reader.read(block));
  }
  reader.finish();
  return reader.summary;
}

/** The words of one or several logs, for their readers. */
export function rawVocabulary(): Vocabulary {
  return new Vocabulary(decodeRaw);
}

/** Reads an admin log block by block, in one go or where an earlier reader stopped. */
export class AdminLogReader {
  readonly summary: AdminLogSummary = { runs: 0, strayLines: 0, empty: true };
  readonly #zone: LocalZone;
  readonly #visitor: AdminLogVisitor;
  readonly #words: Vocabulary;
  #run: RunReader | null = null;

  /** @param open the run in which an earlier reader stopped, and where its further events go */
  constructor(
    zone: LocalZone,
    visitor: AdminLogVisitor,
    open?: { checkpoint: RunCheckpoint; sink: EventSink },
    words = rawVocabulary(),
  ) {
    this.#words = words;
    this.#zone = zone;
    this.#visitor = visitor;
    if (open !== undefined)
      this.#run = RunReader.resume(zone, open.checkpoint, open.sink, visitor, this.#words);
  }

  /** Returns the number of lines read. */
  read({ bytes, lines: whole }: Pick<Block, 'bytes' | 'lines'>): number {
    let lineCount = 0;
    for (const { header, bytes: piece } of whole ? splitAtHeaders(bytes) : [{ header: null, bytes }]) {
      if (header !== null) {
        this.finish();
        const clock = new RunClock(this.#zone, header);
        this.#run = RunReader.begin(header, clock, this.#visitor, this.#words);
        this.summary.runs += 1;
      }
      if (this.#run !== null) lineCount += this.#run.read(piece, whole);
      else {
        const lines = linesOf(piece);
        lineCount += lines.length;
        this.summary.strayLines += lines.length;
        this.summary.empty &&= lines.every(isBlank);
      }
    }
    return lineCount;
  }

  /** The run under way, as if it ended here; null before the first header. */
  get run(): RunText | null {
    return this.#run?.text() ?? null;
  }

  /** Where the run under way stands; null before the first header. */
  checkpoint(): RunCheckpoint | null {
    return this.#run?.checkpoint() ?? null;
  }

  /** Ends the run under way, if there is one. */
  finish(): void {
    if (this.#run === null) return;
    this.#run.close();
    this.#visitor.end(this.#run.text());
    this.#run = null;
  }
}

class RunReader {
  readonly #header: string;
  readonly #startedAt: number;
  readonly #clock: RunClock;
  readonly #digest: RunDigest;
  readonly #sink: EventSink;
  readonly #visitor: AdminLogVisitor;
  #prefixBytes = 0;
  #prefixDigest: string | null = null;
  #lines = 0;
  #unread = 0;
  #latest: number;
  #overlong = false;
  /** Mods write lines that go on without a time; those of a line that is understood are, too. */
  #continues = false;
  readonly #words: Vocabulary;

  static begin(header: string, clock: RunClock, visitor: AdminLogVisitor, words: Vocabulary): RunReader {
    const { sink, prefixBytes } = visitor.begin(header, clock.at);
    const reader = new RunReader(header, clock.at, clock, new RunDigest(), sink, visitor, words);
    reader.#prefixBytes = prefixBytes;
    sink({ kind: 'run-started', at: clock.at, header });
    return reader;
  }

  static resume(
    zone: LocalZone,
    checkpoint: RunCheckpoint,
    sink: EventSink,
    visitor: AdminLogVisitor,
    words: Vocabulary,
  ): RunReader {
    const { header, startedAt } = checkpoint;
    const clock = new RunClock(zone, header, checkpoint.clock);
    const digest = RunDigest.resume(checkpoint.digest);
    const reader = new RunReader(header, startedAt, clock, digest, sink, visitor, words);
    reader.#latest = checkpoint.lastSeenAt;
    reader.#lines = checkpoint.lines;
    reader.#unread = checkpoint.unreadLines;
    reader.#overlong = checkpoint.overlong;
    reader.#continues = checkpoint.continues ?? false;
    return reader;
  }

  private constructor(
    header: string,
    startedAt: number,
    clock: RunClock,
    digest: RunDigest,
    sink: EventSink,
    visitor: AdminLogVisitor,
    words: Vocabulary,
  ) {
    this.#words = words;
    this.#header = header;
    this.#startedAt = startedAt;
    this.#latest = startedAt;
    this.#clock = clock;
    this.#digest = digest;
    this.#sink = sink;
    this.#visitor = visitor;
  }

  /** Returns the number of lines read. A line that is too long is one, told by its first piece. */
  read(piece: Buffer, whole: boolean): number {
    this.#digestPiece(piece);
    if (!whole) {
      const first = !this.#overlong;
      this.#overlong = piece.at(-1) !== lineFeed;
      if (first) {
        this.#lines += 1;
        this.#skip(overlongLine);
      }
      return first ? 1 : 0;
    }
    this.#overlong = false;
    let lines = 0;
    for (const text of rawPiecesOf(piece)) lines += this.#readLines(text);
    this.#lines += lines;
    return lines;
  }

  close(): void {
    this.#sink({ kind: 'run-ended', at: this.#latest });
  }

  text(): RunText {
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.#latest,
      bytes: this.#digest.bytes,
      digest: this.#digest.digest(),
      lines: this.#lines,
      unreadLines: this.#unread,
      isOffZone: this.#clock.isOffZone,
      prefixDigest: this.#prefixDigest,
    };
  }

  checkpoint(): RunCheckpoint {
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.#latest,
      clock: this.#clock.state(),
      digest: this.#digest.state(),
      lines: this.#lines,
      unreadLines: this.#unread,
      overlong: this.#overlong,
      ...(this.#continues && { continues: true }),
    };
  }

  #readLines(text: string): number {
    let lines = 0;
    for (let from = 0; from < text.length; lines += 1) {
      const feed = text.indexOf('\n', from);
      const to = feed < 0 ? text.length : feed;
      this.#readLine(text, from, to);
      from = to + 1;
    }
    return lines;
  }

  #readLine(text: string, from: number, to: number): void {
    if (to < from + timeLength || !text.startsWith(' | ', from + 8)) {
      const line = text.slice(from, to);
      if (framing.test(line)) this.#continues = false;
      else if (!this.#continues) this.#skip(line);
      return;
    }
    const time = timeOfDayMs(text, from);
    if (time < 0 || to - from > maxLineLength) {
      this.#skip(text.slice(from, to));
      return;
    }
    const at = this.#clock.advance(time);
    if (at > this.#latest) this.#latest = at;
    const reading = readAdminLogLine(text, at, from + timeLength, to, this.#words);
    this.#continues = reading === 'nothing' || (reading !== 'unread' && reading.kind === 'identity');
    if (reading === 'unread') this.#skip(text.slice(from, to));
    else if (reading !== 'nothing') this.#sink(reading);
  }

  #skip(line: string): void {
    this.#unread += 1;
    this.#visitor.unread?.(decodeRaw(line).trimEnd());
  }

  #digestPiece(piece: Buffer): void {
    const bytes = piece.includes(carriageReturn) ? piece.filter((byte) => byte !== carriageReturn) : piece;
    const rest = this.#prefixBytes - this.#digest.bytes;
    if (this.#prefixDigest === null && this.#prefixBytes > 0 && bytes.length >= rest) {
      this.#digest.update(bytes.subarray(0, rest));
      this.#prefixDigest = this.#digest.digest();
      this.#digest.update(bytes.subarray(rest));
    } else this.#digest.update(bytes);
  }
}

/** `HH:MM:SS | ` */
const timeLength = 11;

/** Whatever lies below `maxLineBytes` can be delivered whole; what is above can be not. So the limit lies well below. */
const maxLineLength = maxLineBytes / 4;
const overlongLine = '(a line of more than 64 KiB)';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Blank lines, rows of asterisks (`***EOF***` among them) and the header itself. */
const framing = /^(?:\s*|\*[*EOF]*\s*|AdminLog started on .*)$/;

/** Whether a line can stand before a header. */
export function isBlank(line: string): boolean {
  return /^[*\s]*$/.test(line);
}

const headerWords = Buffer.from('AdminLog started on ');
const headerLine = /^AdminLog started on ([0-9]{4}-[0-9]{2}-[0-9]{2}) at ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;

/** The local time of the header at the start of a piece; null when there is none. */
export function headerOf(piece: Buffer): string | null {
  if (piece[0] !== headerWords[0] || !piece.subarray(0, headerWords.length).equals(headerWords)) return null;
  const feed = piece.indexOf(0x0a);
  const match = headerLine.exec(piece.toString('latin1', 0, Math.min(feed < 0 ? piece.length : feed, 80)));
  if (match === null) return null;
  const header = `${match[1]} ${match[2]}`;
  return isLocalTime(header) ? header : null;
}

/** A part of a block. */
export interface Piece {
  /** With which it begins; null: with none. */
  header: string | null;
  bytes: Buffer;
}

/** Cuts a block of whole lines so that each header begins a piece, also behind the NULs that a crash may leave. */
export function splitAtHeaders(bytes: Buffer): Piece[] {
  const pieces: Piece[] = [];
  let header = headerOf(bytes);
  let start = 0;
  for (let at = bytes.indexOf(headerWords, 1); at >= 0; at = bytes.indexOf(headerWords, at + 1)) {
    if (bytes[at - 1] !== lineFeed && bytes[at - 1] !== 0) continue;
    const next = headerOf(bytes.subarray(at));
    if (next === null) continue;
    pieces.push({ header, bytes: bytes.subarray(start, at) });
    header = next;
    start = at;
  }
  pieces.push({ header, bytes: bytes.subarray(start) });
  return pieces;
}
