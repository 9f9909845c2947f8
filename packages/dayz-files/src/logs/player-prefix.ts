import type { KnownId, Vocabulary } from './vocabulary.ts';

/**
 * How an admin log names a player: `Player "NAME" (DEAD) (id=ID pos=<x, z, y>)`. DayZ Expansion AI adds the player's
 * group: `(id=ID group=7:"NAME" faction="West" pos=<x, z, y>)`. A name may contain anything, including these marks, so
 * the first match is never taken: all `(id=…)` marks of a line are found, and the reader keeps the interpretations in
 * which the whole line makes sense.
 */
export interface IdMark {
  /** Index of its `(`. */
  start: number;
  /** Index after its `)`. */
  end: number;
  /** NULL for `id=Unknown` and `id=ERROR`: a failed login or an entity that no longer exists. */
  id: KnownId | null;
  /** Whether it contains the player's position. */
  position: boolean;
}

/** Where in a line a player's name is. Nothing is copied out yet, because there are millions of lines. */
export interface NameSpan {
  /** Indices of the name without its quotes. */
  start: number;
  end: number;
  dead: boolean;
}

const markStart = '(id=';
/** The game's placeholders for unknown ids. */
const unknownIds = ['Unknown', 'ERROR'];
/** Lengths of a DayZ id (PC and PlayStation), an Xbox id, a SteamID64 (2015) and the placeholders. */
const idLengths = [44, 40, 17, ...unknownIds.map((word) => word.length)];

/** All marks between two indices, in order. */
export function findIdMarks(text: string, from: number, to: number, words: Vocabulary): IdMark[] {
  const marks: IdMark[] = [];
  for (let start = text.indexOf('(', from); start >= 0 && start < to; start = text.indexOf('(', start + 1)) {
    if (!text.startsWith(markStart, start)) continue;
    const mark = readIdMark(text, start, words);
    if (mark === null || mark.end > to) continue;
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
    const end = position ? endOfMatch(whereabouts, text, idEnd) : idEnd + 1;
    if (end < 0) continue;
    if (unknownIds.some((word) => word.length === length && text.startsWith(word, idStart)))
      return { start, end, id: null, position };
    const id = words.id(text, idStart, idEnd);
    if (id !== null) return { start, end, id, position };
  }
  return null;
}

/** Whether a mark is `id=ERROR`. */
export function isErrorMark(text: string, { start }: IdMark): boolean {
  return text.startsWith('ERROR', start + markStart.length);
}

/** A position, behind the group of an AI, which has the name that owners give it; others have none. */
const whereabouts =
  /(?: group=[0-9]{1,10}(?::"[^"\n]{0,64}")? faction="[^"\n]{0,64}")? pos=<[-+\w., ]{0,200}>\)/y;

/** The index after what a sticky pattern matches at an index; -1 if it does not match there. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const deadFlag = ' (DEAD)';

/**
 * Finds the name in the text between `Player ` and a mark: in double or single quotes (Expansion) or, up to 1.25, without
 * any, then optionally ` (DEAD)` and a space. Null if the text is something else.
 */
export function readPlayerName(text: string, from: number, to: number): NameSpan | null {
  const end = text.charCodeAt(to - 1) === blank ? to - 1 : to;
  const dead = text.endsWith(deadFlag, end) && end - deadFlag.length > from;
  const nameEnd = dead ? end - deadFlag.length : end;
  const quote = text.charCodeAt(from);
  if (quote !== doubleQuote && quote !== singleQuote)
    return nameEnd > from ? { start: from, end: nameEnd, dead } : null;
  const isClosed = nameEnd - from >= 2 && text.charCodeAt(nameEnd - 1) === quote;
  return isClosed ? { start: from + 1, end: nameEnd - 1, dead } : null;
}

/**
 * Whether a name contains what the log itself writes: a mark, or the start of a line. Where a log was cut inside a
 * line and continues with another one, the name seems to consist of parts of both.
 */
export function isOddName(text: string, { start, end }: NameSpan): boolean {
  const mark = text.indexOf(markStart, start);
  if (mark >= 0 && mark < end) return true;
  return end - start >= lineStartLength && lineStart.test(text.slice(start, end));
}

const lineStart = /[0-9]{2}:[0-9]{2}:[0-9]{2} \| Player /;
const lineStartLength = 'HH:MM:SS | Player '.length;

const blank = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const closeParenthesis = 0x29;
