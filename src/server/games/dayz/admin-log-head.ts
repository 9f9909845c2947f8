import { maxLineBytes } from '../../ingest/files/blocks.ts';
import { textOf } from '../../ingest/files/text.ts';
import { isLocalTime, timeOfDayMs } from '../../ingest/logs/local-clock.ts';
import type { LogRecovery } from '../../ingest/logs/log-format.ts';
import type { RunCheckpoint } from './admin-log-run.ts';

const headerText = 'AdminLog started on ';
const headerWords = Buffer.from(headerText);
const headerLine = /^AdminLog started on ([0-9]{4}-[0-9]{2}-[0-9]{2}) at ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;
const lineFeed = 0x0a;

/** The local time of the header at the start of a piece; null when there is none. */
export function headerOf(piece: Buffer): string | null {
  if (piece[0] !== headerWords[0] || !piece.subarray(0, headerWords.length).equals(headerWords)) return null;
  const feed = piece.indexOf(lineFeed);
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

/** Whether a line can stand before a header: blank lines and rows of asterisks. */
export function isBlank(line: string): boolean {
  return /^[*\s]*$/.test(line);
}

/** How an admin log goes on that was emptied under the running game, which does not notice. */
export const adminLogRecovery: LogRecovery<RunCheckpoint> = {
  beginning(head, isAll) {
    const line = firstLine(head, isAll);
    if (line === null) return isAll ? 'too-short' : 'line';
    return headerOf(Buffer.from(line)) === null ? 'line' : 'run';
  },

  // A line that comes before what was read was read already, unless the game's threads jitter.
  follows(head, isAll, { clock }) {
    const line = firstLine(head, isAll) ?? '';
    const timeMs = line.startsWith(' | ', 8) ? timeOfDayMs(line) : -1;
    return timeMs >= 0 && (timeMs - clock.timeMs + jitterMs + dayMs) % dayMs < dayMs / 2;
  },

  canBegin(line) {
    const text = textOf(line.subarray(0, maxLineBytes));
    return isBlank(text) || text.startsWith(headerText) || headerText.startsWith(text);
  },
};

/** The first line that is not blank. A last line that has not ended may become anything and is left out. */
function firstLine(head: Buffer, isAll: boolean): string | null {
  const lines = textOf(head).split('\n');
  if (isAll && !endsInFeed(head)) lines.pop();
  return lines.find((line) => headerOf(Buffer.from(line)) !== null || !isBlank(line)) ?? null;
}

/** In UTF-8 or UTF-16. */
const endsInFeed = (bytes: Buffer): boolean =>
  bytes.at(-1) === lineFeed || (bytes.at(-1) === 0 && bytes.at(-2) === lineFeed);

/** Far less than a clock may jitter: what is left of a log that was cut at its beginning is not to count again. */
const jitterMs = 5_000;
const dayMs = 86_400_000;
