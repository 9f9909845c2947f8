import type { DeathCause, GameEvent, SeenPlayer } from './events.ts';
import { steamIdSource } from './game-ids.ts';
import { findIdMarks, readPlayerName, type IdMark, type PlayerName } from './player-prefix.ts';

/** An event, or that the line is of a known kind that says nothing here, or that no rule knows it. */
export type LineReading = GameEvent | 'nothing' | 'unread';

/**
 * Reads one line of an admin log, vanilla or with the common mods, 2015 to 2026, PC and console.
 * A line that can be read in two ways (a player's name may imitate one) is unread: it credits nobody.
 * @param text the line after `HH:MM:SS | `
 * @param at the line's moment, epoch milliseconds
 */
export function readAdminLogLine(text: string, at: number): LineReading {
  if (!text.startsWith('Player ')) return readOtherLine(text, at);
  const marks = findIdMarks(text, playerWord.length);
  const last = marks?.at(-1);
  if (marks === null || last === undefined) return 'unread';
  // Whatever follows the last mark holds no further player: the line is about that one, or about it and one before.
  let reading = readAboutOne(text, last, at, marks.length === 1);
  for (const mark of marks) {
    if (mark === last) break;
    const other = readAboutTwo(text, mark, last, at);
    if (other === 'unread') continue;
    if (reading !== 'unread') return 'unread';
    reading = other;
  }
  return reading;
}

const playerWord = 'Player ';

function readAboutOne(text: string, mark: IdMark, at: number, only: boolean): LineReading {
  const tail = text.slice(mark.end).trimEnd();
  if (tail === '') return readBare(text, mark, at, only);
  const hit = hitBy.exec(tail);
  const killed = hit === null && tail.startsWith(killedBy);
  const kind = hit !== null || killed ? undefined : plainTails.get(tail);
  const cause = kind === undefined ? deathCause(tail) : null;
  if (hit === null && !killed && kind === undefined && cause === null && !action.test(tail)) return 'unread';
  const by = hit === null ? killedBy.length : hit[0].length;
  // A player who does not parse as one is not to be taken for an animal.
  if ((hit !== null || killed) && playerNext.test(tail.slice(by, by + 8))) return 'unread';
  const subject = readPlayerName(text, playerWord.length, mark.start);
  if (subject === null) return 'unread';
  const player = seen(subject, mark);
  if (player === null) return 'nothing';
  if (killed) return { kind: 'killed', at, victim: player, killer: null, meters: null };
  if (hit !== null)
    return { kind: 'hit', at, victim: player, corpse: subject.dead, attacker: null, meters: null };
  if (cause !== null) return { kind: 'died', at, player, cause };
  return { kind: kind ?? 'seen', at, player };
}

/** `P hit by P into …`, `P killed by P with …` and, in 2015, `P has been killed by player P`. */
function readAboutTwo(text: string, first: IdMark, second: IdMark, at: number): LineReading {
  const between = text.slice(first.end, second.start);
  const hit = hitBy.exec(between);
  const verb = hit?.[0] ?? [killedBy, hasBeenKilledBy].find((words) => between.startsWith(words));
  if (verb === undefined || !playerNext.test(between.slice(verb.length, verb.length + playerWord.length))) {
    return 'unread';
  }
  const tail = text.slice(second.end).trimEnd();
  const expected = hit === null ? ' with ' : ' into ';
  if (verb === hasBeenKilledBy ? tail !== '' || !isOf2015(first, second) : !tail.startsWith(expected)) {
    return 'unread';
  }
  const victim = readPlayerName(text, playerWord.length, first.start);
  const attacker = readPlayerName(text, first.end + verb.length + playerWord.length, second.start);
  if (victim === null || attacker === null) return 'unread';
  const meters = readMeters(tail);
  return hit === null
    ? { kind: 'killed', at, victim: seen(victim, first), killer: seen(attacker, second), meters }
    : {
        kind: 'hit',
        at,
        victim: seen(victim, first),
        corpse: victim.dead,
        attacker: seen(attacker, second),
        meters,
      };
}

/** Only logs of 2015 hold SteamID64s as ids. */
function isOf2015(...marks: IdMark[]): boolean {
  return marks.every(({ id }) => id === null || id.length === 17);
}

/** Nothing follows the mark: a line of the player list, or, up to 1.25, `Player "A" is connected (id=…)`. */
function readBare(text: string, mark: IdMark, at: number, only: boolean): LineReading {
  const connected = text.endsWith(connectedBefore, mark.start);
  // Lists give positions. Without one, and with a player before it, the line is a kill of 2015.
  if (!connected && !mark.position && !only) return 'unread';
  const to = connected ? mark.start - connectedBefore.length : mark.start;
  const name = readPlayerName(text, playerWord.length, to);
  if (name === null) return 'unread';
  const player = seen(name, mark);
  return player === null ? 'nothing' : { kind: connected ? 'connected' : 'seen', at, player };
}

const connectedBefore = ' is connected ';
const killedBy = ' killed by ';
const hasBeenKilledBy = ' has been killed by ';
const hitBy = /^(?:\[HP: [^\]"]{0,40}\])? hit by /;
const playerNext = /^player /i;

type PlainKind = 'connected' | 'disconnected' | 'respawn' | 'suicide' | 'seen';

const plainTails = new Map<string, PlainKind>([
  [' is connected', 'connected'],
  [' has been disconnected', 'disconnected'],
  [' is choosing to respawn', 'respawn'],
  [' committed suicide', 'suicide'],
  [' committed suicide.', 'suicide'],
  [' is connecting', 'seen'],
  [' is unconscious', 'seen'],
  [' regained consciousness', 'seen'],
]);

const died = /^ (died|drowned)\.?(?: Stats>[-+\w .:]*)?$/;
const action =
  /^ ?(?:placed|built|dismantled|folded|unfolded|packed|unpacked|repaired|destroyed|raised|lowered|mounted|unmounted|performed|buried|dug|locked|unlocked) /i;

function deathCause(tail: string): DeathCause | null {
  if (tail === ' bled out') return 'bled-out';
  const match = died.exec(tail);
  return match === null ? null : (match[1] as 'died' | 'drowned');
}

function seen(name: PlayerName, mark: IdMark): SeenPlayer | null {
  return mark.id === null ? null : { id: mark.id, name: name.name };
}

const longestMeters = 10_000;

/** The `from D meters` at the end of a line; null where there is none or it is noise (positions at FLT_MAX exist). */
function readMeters(tail: string): number | null {
  const from = tail.lastIndexOf(' from ');
  if (from < 0 || !tail.endsWith(' meters')) return null;
  const text = tail.slice(from + ' from '.length, -' meters'.length);
  if (!/^[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?$/.test(text)) return null;
  const meters = Number(text);
  return meters > 0 && meters <= longestMeters ? meters : null;
}

// Community Online Tools name the admin; several mods name a player as `NAME [steam64: ID;]`. The names before that
// are the players' own, hence only where the line says it once.
const adminTool = new RegExp(`^\\[COT\\] (${steamIdSource}): `);
const tagged = new RegExp(`\\[\\w{1,16}: (${steamIdSource});\\]`, 'g');

function readOtherLine(text: string, at: number): LineReading {
  if (text.startsWith('[COT] ')) {
    const match = adminTool.exec(text);
    return match === null ? 'nothing' : identity(match[1], at);
  }
  if (text.includes('7656') && text.includes(';]')) {
    const [match, second] = text.matchAll(tagged);
    if (match !== undefined && second === undefined) return identity(match[1], at);
  }
  return /^(?:#####|Chat|\[Chat)/.test(text) ? 'nothing' : 'unread';
}

function identity(steamId64: string | undefined, at: number): LineReading {
  return { kind: 'identity', at, steamId64: steamId64 ?? null, battleyeGuid: null, dayzId: null, name: null };
}
