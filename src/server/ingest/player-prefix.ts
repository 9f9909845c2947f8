import { dayzIdSource, steamIdSource } from './game-ids.ts';

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
  /** NULL for `id=Unknown`: a failed login or an entity that is gone. */
  id: string | null;
  /** Whether it says where the player is. */
  position: boolean;
}

export interface PlayerName {
  name: string;
  dead: boolean;
}

/** A line with more marks than this was made to be costly; it is not read. */
const maxMarks = 8;

// DayZ id (PC and PlayStation), Xbox id, SteamID64 (2015). Sticky: it only looks where it is put.
const markPattern = new RegExp(
  `\\(id=(?:(Unknown)|(${dayzIdSource}|${steamIdSource}))( pos=<[-+\\w., ]{0,200}>)?\\)`,
  'y',
);

/** All marks of a line in order; null when there are too many. */
export function findIdMarks(text: string, from: number): IdMark[] | null {
  const marks: IdMark[] = [];
  for (let at = text.indexOf('(id=', from); at >= 0; at = text.indexOf('(id=', at + 4)) {
    markPattern.lastIndex = at;
    const match = markPattern.exec(text);
    if (match === null) continue;
    if (marks.length === maxMarks) return null;
    marks.push({
      start: at,
      end: markPattern.lastIndex,
      id: match[2] ?? null,
      position: match[3] !== undefined,
    });
  }
  return marks;
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
  return { name: quoted ? text.slice(from + 1, end - 1) : text.slice(from, end), dead };
}

const blank = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
