import { maxLineBytes } from './blocks.ts';
import { textOf } from '../text.ts';
import { isLocalTime, timeOfDayMs } from './local-clock.ts';
import type { LogRecovery } from './log-format.ts';
import type { RunCheckpoint } from './admin-log-run.ts';

const headerText = 'AdminLog started on ';
const headerWords = Buffer.from(headerText);
/** `AdminLog started on 2021-04-05 at 06:05:35` */
const headerLine = /^AdminLog started on ([0-9]{4}-[0-9]{2}-[0-9]{2}) at ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;
const lineFeed = 0x0a;

/** The local time of the header at the start of a part; null: there is none. */
function headerOf(piece: Buffer): string | null {
  if (piece[0] !== headerWords[0] || !piece.subarray(0, headerWords.length).equals(headerWords)) return null;
  const feed = piece.indexOf(lineFeed);
  const match = headerLine.exec(piece.toString('latin1', 0, Math.min(feed < 0 ? piece.length : feed, 80)));
  if (match === null) return null;
  const header = `${match[1]} ${match[2]}`;
  return isLocalTime(header) ? header : null;
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

/** How to continue in an admin log that was emptied while the game was running, which does not notice. */
export const adminLogRecovery: LogRecovery<RunCheckpoint> = {
  startsWith(head, isAll) {
    let others = 0;
    for (const line of wholeLines(head)) {
      if (timeOf(line) >= 0) return 'line';
      if (headerOf(Buffer.from(line)) !== null) return 'run';
      if (!isBlank(line)) others += 1;
      // The end of a line that was cut, and lines of a mod without a time.
      if (others === mostOthers) return 'other';
    }
    return isAll ? 'too-short' : 'other';
  },

  // An earlier line was read already, unless the game's threads jitter.
  gapMs({ clock, isOver, longestGapMs = 0 }, head, isInSight) {
    const usual = Math.min(Math.max(longestGapMs, shortestUsualGapMs), longestUsualGapMs);
    const gap = gapMs(clock.timeMs, timeOf(firstTimed(head) ?? ''));
    return isOver !== true && gap <= (isInSight ? dayMs / 2 : usual) ? gap : null;
  },

  firstTime(head) {
    return firstTimed(head)?.slice(0, 8) ?? null;
  },

  isCutOff(line) {
    const text = textOf(line);
    return timeOf(text) < 0 && !isBlank(text) && headerOf(line) === null;
  },

  canBegin(line) {
    const text = textOf(line.subarray(0, maxLineBytes));
    return isBlank(text) || text.startsWith(headerText) || headerText.startsWith(text);
  },
};

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

const firstTimed = (head: Buffer): string | undefined => wholeLines(head).find((line) => timeOf(line) >= 0);

/** Between two times of day, of which the second may be earlier by jitter. */
const gapMs = (before: number, after: number): number =>
  after < 0 ? dayMs : ((after - before + jitterMs + dayMs) % dayMs) - jitterMs;

/**
 * Much less than the jitter that `local-clock.ts` allows, so that the rest of a log whose start was cut off is not
 * counted again.
 */
const jitterMs = 5_000;
/** A server with players on it lists them every five minutes, and two lists may be missing. */
const shortestUsualGapMs = 15 * 60_000;
/** A run with an idle night in it would otherwise be continued by any other one. */
const longestUsualGapMs = 60 * 60_000;
const dayMs = 86_400_000;
