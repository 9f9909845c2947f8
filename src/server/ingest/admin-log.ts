import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readAdminLogLine } from './admin-log-line.ts';
import { maxLineBytes, readBlocks } from './blocks.ts';
import type { EventSink } from './events.ts';
import { isLocalTime, type LocalZone, RunClock, timeOfDayMs } from './local-clock.ts';
import { linesOf } from './text.ts';

/** A run as its file holds it: from its header to the next or the end. Carriage returns are left out of account. */
export interface RunText {
  /** `2021-03-31 21:12:34`, the server's local time. */
  header: string;
  startedAt: number;
  bytes: number;
  /** SHA-256, hex. */
  digest: string;
  lines: number;
  unreadLines: number;
  /** SHA-256 of the first `prefixBytes` bytes that the caller asked for; null when the run is shorter. */
  prefixDigest: string | null;
}

/** Takes what a reader finds. `begin` says how many bytes of a known copy are to be compared (0: none). */
export interface AdminLogVisitor {
  begin(header: string, startedAt: number): { sink: EventSink; prefixBytes: number };
  end(run: RunText): void;
}

export interface AdminLogSummary {
  runs: number;
  /** Lines before the first header, of which nothing is known but their time of day. */
  strayLines: number;
  /** The file holds at most blank lines and rows of asterisks: a log about to begin. */
  empty: boolean;
}

/**
 * Reads an admin log of any age: the events of each run in order to the visitor's sink. Memory is bounded.
 * @param onBytes told of the bytes and lines of each block read
 * @throws the signal's reason at the next block once it is aborted
 */
export async function readAdminLog(
  file: FileHandle,
  zone: LocalZone,
  visitor: AdminLogVisitor,
  onBytes: (bytes: number, lines: number) => void = () => {},
  signal?: AbortSignal,
): Promise<AdminLogSummary> {
  let run: RunReader | null = null;
  const summary: AdminLogSummary = { runs: 0, strayLines: 0, empty: true };
  for await (const { bytes, lines: whole } of readBlocks(file)) {
    signal?.throwIfAborted();
    let lineCount = 0;
    for (const piece of whole ? splitAtHeaders(bytes) : [bytes]) {
      const header = whole ? headerOf(piece) : null;
      if (header !== null) {
        if (run !== null) visitor.end(run.finish());
        const clock = new RunClock(zone, header);
        run = new RunReader(header, clock, visitor.begin(header, clock.at));
        summary.runs += 1;
      }
      if (run !== null) lineCount += run.read(piece, whole);
      else {
        const lines = linesOf(piece);
        lineCount += lines.length;
        summary.strayLines += lines.length;
        summary.empty &&= lines.every((line) => /^[*\s]*$/.test(line));
      }
    }
    onBytes(bytes.length, lineCount);
  }
  if (run !== null) visitor.end(run.finish());
  return summary;
}

class RunReader {
  readonly #header: string;
  readonly #clock: RunClock;
  readonly #sink: EventSink;
  readonly #hash: Hash = createHash('sha256');
  readonly #prefixBytes: number;
  readonly #startedAt: number;
  #prefixDigest: string | null = null;
  #bytes = 0;
  #lines = 0;
  #unread = 0;
  #latest: number;
  #overlong = false;

  constructor(header: string, clock: RunClock, target: { sink: EventSink; prefixBytes: number }) {
    this.#header = header;
    this.#clock = clock;
    this.#startedAt = clock.at;
    this.#latest = clock.at;
    this.#sink = target.sink;
    this.#prefixBytes = target.prefixBytes;
    this.#sink({ kind: 'run-started', at: clock.at, header });
  }

  /** Returns the number of lines read. */
  read(piece: Buffer, whole: boolean): number {
    this.#digest(piece);
    if (!whole) {
      if (!this.#overlong) this.#unread += 1;
      this.#overlong = true;
      return 0;
    }
    this.#overlong = false;
    const lines = linesOf(piece);
    for (const line of lines) this.#readLine(line);
    this.#lines += lines.length;
    return lines.length;
  }

  finish(): RunText {
    this.#sink({ kind: 'run-ended', at: this.#latest });
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      bytes: this.#bytes,
      digest: this.#hash.digest('hex'),
      lines: this.#lines,
      unreadLines: this.#unread,
      prefixDigest: this.#prefixDigest,
    };
  }

  #readLine(line: string): void {
    if (!line.startsWith(' | ', 8)) {
      if (!framing.test(line)) this.#unread += 1;
      return;
    }
    const time = timeOfDayMs(line);
    if (time < 0 || line.length > maxLineBytes) {
      this.#unread += 1;
      return;
    }
    const at = this.#clock.advance(time);
    if (at > this.#latest) this.#latest = at;
    const reading = readAdminLogLine(line.slice(11), at);
    if (reading === 'unread') this.#unread += 1;
    else if (reading !== 'nothing') this.#sink(reading);
  }

  #digest(piece: Buffer): void {
    const bytes = piece.includes(carriageReturn) ? piece.filter((byte) => byte !== carriageReturn) : piece;
    const rest = this.#prefixBytes - this.#bytes;
    if (this.#prefixDigest === null && this.#prefixBytes > 0 && bytes.length >= rest) {
      this.#hash.update(bytes.subarray(0, rest));
      this.#prefixDigest = this.#hash.copy().digest('hex');
      this.#hash.update(bytes.subarray(rest));
    } else this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }
}

const carriageReturn = 0x0d;
/** Blank lines, rows of asterisks (`***EOF***` among them) and the header itself. */
const framing = /^(?:\s*|\*[*EOF]*|AdminLog started on .*)$/;

const headerWords = Buffer.from('AdminLog started on ');
const headerLine = /^AdminLog started on ([0-9]{4}-[0-9]{2}-[0-9]{2}) at ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;

function headerOf(piece: Buffer): string | null {
  if (!piece.subarray(0, headerWords.length).equals(headerWords)) return null;
  const feed = piece.indexOf(0x0a);
  const match = headerLine.exec(piece.toString('latin1', 0, Math.min(feed < 0 ? piece.length : feed, 80)));
  if (match === null) return null;
  const header = `${match[1]} ${match[2]}`;
  return isLocalTime(header) ? header : null;
}

/** Cuts a block of whole lines so that each header begins a piece. */
function splitAtHeaders(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(headerWords); at >= 0; at = bytes.indexOf(headerWords, at + 1)) {
    if (at === start || bytes[at - 1] !== 0x0a || headerOf(bytes.subarray(at)) === null) continue;
    pieces.push(bytes.subarray(start, at));
    start = at;
  }
  pieces.push(bytes.subarray(start));
  return pieces;
}
