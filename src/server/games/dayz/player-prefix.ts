import type { KnownId, Vocabulary } from './vocabulary.ts';

/**
 * The way an admin log names a player: `Player "NAME" (DEAD) (id=ID pos=<x, z, y>)`. A name may hold anything, these
 * marks included, so nothing is ever taken from the first match: all `(id=…)` marks of a line are found, and the
 * reader keeps the readings in which the whole line makes sense.
 */
export interface IdMark {
  /** Index of its `(`. */
  start: number;
  /** Index after its `)`. */
  end: number;
  /** NULL for `id=Unknown` and `id=ERROR`: a failed login or an entity that is gone. */
  id: KnownId | null;
  /** Whether it says where the player is. */
  position: boolean;
}

export interface PlayerName {
  /** Indices of the name without its quotes. */
  start: number;
  end: number;
  dead: boolean;
}

/** A line with more marks than this was made to be costly; it is not read. */
const maxMarks = 8;

const markStart = '(id=';
/** What the game writes in place of an id that it does not know. */
const unknownIds = ['Unknown', 'ERROR'];
/** Of a DayZ id (PC and PlayStation), an Xbox id, a SteamID64 (2015) and none. */
const idLengths = [44, 40, 17, ...unknownIds.map((word) => word.length)];

/** All marks from one index up to another, in order; null when there are too many. */
export function findIdMarks(text: string, from: number, to: number, words: Vocabulary): IdMark[] | null {
  const marks: IdMark[] = [];
  for (let start = text.indexOf('(', from); start >= 0 && start < to; start = text.indexOf('(', start + 1)) {
    if (!text.startsWith(markStart, start)) continue;
    const mark = readIdMark(text, start, words);
    if (mark === null || mark.end > to) continue;
    if (marks.length === maxMarks) return null;
    marks.push(mark);
  }
  return marks;
}

function readIdMark(text: string, start: number, words: Vocabulary): IdMark | null {
  const idStart = start + markStart.length;
  for (const length of idLengths) {
    const idEnd = idStart + length;
    const next = text.charCodeAt(idEnd);
    if (next !== closeParenthesis && next !== blank) continue;
    const position = next === blank;
    const end = position ? positionEnd(text, idEnd) : idEnd + 1;
    if (end < 0) continue;
    if (unknownIds.some((word) => word.length === length && text.startsWith(word, idStart)))
      return { start, end, id: null, position };
    const id = words.id(text, idStart, idEnd);
    if (id !== null) return { start, end, id, position };
  }
  return null;
}

const positionStart = ' pos=<';
const maxPositionLength = 200;
const inPosition = Uint8Array.from({ length: 128 }, (_, code) =>
  /[-+\w., ]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The index after ` pos=<…>)`; -1 when that does not stand here. */
function positionEnd(text: string, at: number): number {
  if (!text.startsWith(positionStart, at)) return -1;
  let end = at + positionStart.length;
  const longest = end + maxPositionLength;
  while (end < longest && inPosition[text.charCodeAt(end)] === 1) end += 1;
  return text.startsWith('>)', end) ? end + 2 : -1;
}

const deadFlag = ' (DEAD)';

/**
 * Reads what stands between `Player ` and a mark: a name in double or single quotes (Expansion) or, up to 1.25, in
 * none, then perhaps ` (DEAD)`, then perhaps a blank. Null when it cannot be that.
 */
export function readPlayerName(text: string, from: number, to: number): PlayerName | null {
  let end = text.charCodeAt(to - 1) === blank ? to - 1 : to;
  const quote = text.charCodeAt(from);
  const quoted = quote === doubleQuote || quote === singleQuote;
  let dead = false;
  if (!(quoted && end - from >= 2 && text.charCodeAt(end - 1) === quote)) {
    dead = text.endsWith(deadFlag, end) && end - deadFlag.length > from;
    if (dead) end -= deadFlag.length;
    if (quoted && !(end - from >= 2 && text.charCodeAt(end - 1) === quote)) return null;
    if (end <= from) return null;
  }
  if (end - from >= joinedLineLength && joinedLine.test(text.slice(from, end))) return null;
  return quoted ? { start: from + 1, end: end - 1, dead } : { start: from, end, dead };
}

/** Where a log was cut inside a line and goes on with another one, what looks like a name is parts of both. */
const joinedLine = /\d\d:\d\d:\d\d \| Player/;
const joinedLineLength = 'HH:MM:SS | Player'.length;

const blank = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const closeParenthesis = 0x29;
