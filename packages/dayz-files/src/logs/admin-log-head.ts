import { crc32 } from 'node:zlib';
import { maxLineBytes } from './blocks.ts';
import { textOf } from '../text.ts';
import { dayMs, isLocalTime, jitterMs, timeOfDayMs } from './local-time.ts';
import type { LogStarts } from './log-format.ts';
import type { LogRest } from './log-rest.ts';

const headerText = 'AdminLog started on ';
const headerWords = Buffer.from(headerText);
/** `AdminLog started on 2021-04-05 at 06:05:35` */
const headerLine =
  /^AdminLog started on ([0-9]{4}-[0-9]{2}-[0-9]{2}) at ([0-9]{2}:[0-9]{2}:[0-9]{2})[^\S\n]*(?:\n|$)/;
const lineFeed = 0x0a;

/** The local time of the header at the start of a part; null: there is none. */
function headerOf(piece: Buffer): string | null {
  const match = headerLine.exec(piece.toString('latin1', 0, 80));
  const header = match && `${match[1]} ${match[2]}`;
  return header !== null && isLocalTime(header) ? header : null;
}

/** A part of a block. */
interface Piece {
  /** The header at its start; null: none. */
  header: string | null;
  bytes: Buffer;
}

/** Splits a block of whole lines at the headers, including headers after the NULs that a crash may leave. */
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

/** Whether a line may precede a header: blank lines and rows of asterisks. */
export function isBlank(line: string): boolean {
  return /^[*\s]*$/.test(line);
}

export const adminLogStarts: LogStarts = {
  startsWith(head, isAll) {
    let others = 0;
    for (const line of wholeLines(head)) {
      if (timeOf(line) >= 0) return 'rest';
      if (headerOf(Buffer.from(line)) !== null) return 'run';
      if (!isBlank(line)) others += 1;
      // The end of a line that was cut, and lines of a mod without a time.
      if (others === mostOthers) return 'other';
    }
    return isAll ? 'too-short' : 'other';
  },

  async readRest(blocks) {
    let [from, to, midnights] = ['', '', 0];
    let digest: string | null = null;
    const rest = (next: string | null): LogRest | null =>
      digest === null ? null : { from, to, midnights, next, digest };
    for await (const { bytes, kind } of blocks) {
      if (kind !== 'lines') continue;
      for (const line of textOf(bytes).split('\n')) {
        const next = line.startsWith(headerText) ? headerOf(Buffer.from(line)) : null;
        if (next !== null) return rest(next);
        const time = timeOf(line);
        if (time < 0) continue;
        if (from === '') from = to = line.slice(0, 8);
        const sinceMs = time - timeOfDayMs(to);
        if (sinceMs < -jitterMs) midnights += 1;
        // A line of just before midnight that was written just after it.
        else if (sinceMs > dayMs - jitterMs) midnights -= 1;
        to = line.slice(0, 8);
        if (digest === null && line.includes('(id=')) digest = digestOf(line);
      }
    }
    return rest(null);
  },

  canBegin(line) {
    const text = textOf(line.subarray(0, maxLineBytes));
    return isBlank(text) || text.startsWith(headerText) || headerText.startsWith(text);
  },
};

/** Without the line end, which copying may change. */
const digestOf = (line: string): string => crc32(line.trimEnd()).toString(16).padStart(8, '0');

/** An unterminated last line may become anything and is ignored. */
function wholeLines(bytes: Buffer): string[] {
  const lines = textOf(bytes).split('\n');
  if (!endsInFeed(bytes)) lines.pop();
  return lines;
}

/** In UTF-8 or UTF-16. */
const endsInFeed = (bytes: Buffer): boolean =>
  bytes.at(-1) === lineFeed || (bytes.at(-1) === 0 && bytes.at(-2) === lineFeed);

/** Milliseconds since midnight; -1: the line has no time. */
export const timeOf = (line: string): number => (line.startsWith(' | ', 8) ? timeOfDayMs(line) : -1);

const mostOthers = 10;
