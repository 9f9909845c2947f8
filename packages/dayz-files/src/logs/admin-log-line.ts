import type { GameEvent, LonelyDeath, SeenPlayer } from './events.ts';
import { steamIdSource } from '../ids.ts';
import { readHit, readKill, readMeters, readPosition } from './blow-details.ts';
import { OddNames } from './odd-names.ts';
import {
  endOfMatch,
  findIdMarks,
  isErrorMark,
  isOddName,
  readPlayerName,
  type IdMark,
  type NameSpan,
} from './player-prefix.ts';
import { Vocabulary } from './vocabulary.ts';

/** An event; `nothing`: a known kind of line without an event; `unread`: no rule matched. */
export type LineResult = GameEvent | 'nothing' | 'unread';

/** A line within its text. Nothing is copied out before it is needed, because there are millions of lines. */
interface Line {
  text: string;
  /** Index of the first player's name. */
  start: number;
  /** Index after the line's last character that is no space. */
  end: number;
  at: number;
  words: Vocabulary;
  oddNames: OddNames;
}

/**
 * Reads one line of an admin log, vanilla or with the common mods, 2015 to 2026, PC and console. A player's name may
 * imitate a line, so that a line about two players has several interpretations; unless the names from earlier lines
 * decide, it is unread and credits nobody.
 * @param text contains the line
 * @param at the line's moment, epoch milliseconds
 * @param from index after the line's `HH:MM:SS | `
 * @param to index of the line's end
 * @param oddNames of the run so far, to which those of this line are added
 */
export function readAdminLogLine(
  text: string,
  at: number,
  from = 0,
  to = text.length,
  words = new Vocabulary(),
  oddNames = new OddNames(),
): LineResult {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  if (!text.startsWith(playerWord, from)) return readOtherLine(text, at, from, end, words);
  const start = from + playerWord.length;
  const marks = findIdMarks(text, start, end, words);
  const last = marks.at(-1);
  if (last === undefined) return 'unread';
  const line: Line = { text, start, end, at, words, oddNames };
  // No player follows the last mark: the line is about that player, or about that one and the one before.
  const aboutOne = readAboutOne(line, last, marks.length === 1);
  if (aboutOne !== 'unread') return aboutOne;
  const [pair, other] = pairsOf(line, marks, last);
  return pair === undefined || other !== undefined ? 'unread' : readAboutTwo(line, pair);
}

const playerWord = 'Player ';
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function readAboutOne(line: Line, mark: IdMark, only: boolean): LineResult {
  const { text, start, end, at } = line;
  if (mark.end === end) return readBare(line, mark, only);
  const attack = readAttack(text, mark.end);
  // A player whose mark does not parse must not be taken for an animal.
  if (attack !== null && isPlayerNext(text, attack.end)) return 'unread';
  const kind = attack?.kind ?? readTail(text.slice(mark.end, end));
  if (kind === 'unread') return 'unread';
  const subject = readPlayerName(text, start, mark.start);
  if (subject === null) return 'unread';
  const player = seen(line, subject, mark);
  // Consoles lose the id of some players who leave. `id=Unknown` is a failed login.
  if (player === null && kind === 'disconnected' && isErrorMark(text, mark))
    return { kind: 'dropped', at, name: line.words.name(text, subject.start, subject.end) };
  if (player === null) return 'nothing';
  switch (kind) {
    case 'hit': {
      const hit = { kind, at, victim: player, corpse: subject.dead, attacker: null, meters: null };
      // Of hits that kill nobody, only the distance between two players counts.
      if (!subject.dead) return hit;
      const blow = readHit(text.slice(attack?.end ?? end, end), line.words);
      return { ...hit, ...blow, position: readPosition(text, mark) };
    }
    case 'killed': {
      const blow = readKill(text.slice(attack?.end ?? end, end), line.words);
      return { kind, at, victim: player, killer: null, ...blow, position: readPosition(text, mark) };
    }
    case 'died':
    case 'drowned':
    case 'bled-out':
      return { kind: 'died', at, player, cause: kind, position: readPosition(text, mark) };
    case 'suicide':
      return { kind, at, player, position: readPosition(text, mark) };
    case 'connected':
      return connected(at, player, mark);
    case 'gesture':
      return { kind, at, player, gesture: line.words.word(readGesture(text.slice(mark.end, end))) ?? '' };
    default:
      return { kind, at, player };
  }
}

/** Logs of 2026 contain the player's position if the character exists already. */
function connected(at: number, player: SeenPlayer, { position }: IdMark): LineResult {
  return position ? { kind: 'connected', at, player, inGame: true } : { kind: 'connected', at, player };
}

/** A line about two players, in one interpretation. */
interface Pair {
  attack: Attack;
  first: IdMark;
  second: IdMark;
  victimName: NameSpan;
  attackerName: NameSpan;
}

/** The interpretations of a line about two players that earlier lines leave open. */
function pairsOf(line: Line, marks: readonly IdMark[], last: IdMark): Pair[] {
  const pairs: Pair[] = [];
  for (const mark of marks) {
    const pair = mark === last ? null : readPair(line, mark, last);
    if (pair !== null) pairs.push(pair);
  }
  return pairs.length > 1 ? pairs.filter((each) => hasKnownNames(line, each)) : pairs;
}

/** `P hit by P into …`, `P killed by P with …` and, in 2015, `P has been killed by player P`. */
function readPair({ text, start, end }: Line, first: IdMark, second: IdMark): Pair | null {
  const attack = readAttack(text, first.end) ?? readAttackOf2015(text, first, second);
  if (attack === null || !isPlayerNext(text, attack.end)) return null;
  const isWhole = attack.tails.some((tail) => text.startsWith(tail, second.end));
  if (attack.tails.length === 0 ? second.end !== end : !isWhole) return null;
  const victimName = readPlayerName(text, start, first.start);
  const attackerName = readPlayerName(text, attack.end + playerWord.length, second.start);
  if (victimName === null || attackerName === null) return null;
  return { attack, first, second, victimName, attackerName };
}

/** Whether both players have these names according to earlier lines. */
function hasKnownNames(line: Line, { first, second, victimName, attackerName }: Pair): boolean {
  const { text, oddNames } = line;
  const isKnown = (name: NameSpan, { id }: IdMark): boolean => {
    const known = id === null ? undefined : oddNames.of(id.id);
    return known === (isOddName(text, name) ? text.slice(name.start, name.end) : undefined);
  };
  return isKnown(attackerName, second) && isKnown(victimName, first);
}

function readAboutTwo(line: Line, { attack, first, second, victimName, attackerName }: Pair): LineResult {
  const { text, end, at, words } = line;
  const victim = seen(line, victimName, first);
  const attacker = seen(line, attackerName, second);
  const tail = text.slice(second.end, end);
  const { kind } = attack;
  if (kind === 'hit' && !victimName.dead)
    return { kind, at, victim, corpse: false, attacker, meters: readMeters(tail) };
  const how = kind === 'hit' ? readHit(tail, words) : readKill(tail, words);
  const blow = { ...how, cause: 'player' as const, position: readPosition(text, first) };
  const other = readPosition(text, second);
  return kind === 'hit'
    ? { kind, at, victim, corpse: true, attacker, ...blow, attackerPosition: other }
    : { kind, at, victim, killer: attacker, ...blow, killerPosition: other };
}

interface Attack {
  kind: 'hit' | 'killed';
  /** Index after its words, where the attacker starts. */
  end: number;
  /** What may follow an attacker who is a player; empty: nothing. */
  tails: readonly string[];
}

/** ` killed by ` or, perhaps with hit points before it, ` hit by `; null if the text is neither. */
function readAttack(text: string, from: number): Attack | null {
  if (text.startsWith(killedBy, from))
    return { kind: 'killed', end: from + killedBy.length, tails: killTails };
  const end = endOfMatch(hitBy, text, from);
  return end < 0 ? null : { kind: 'hit', end, tails: hitTails };
}

/** Only logs of 2015 have SteamID64s as ids. */
function readAttackOf2015(text: string, ...marks: [IdMark, IdMark]): Attack | null {
  const [{ end }] = marks;
  if (!text.startsWith(hasBeenKilledBy, end)) return null;
  if (!marks.every(({ id }) => id === null || id.id.length === steamIdLength)) return null;
  return { kind: 'killed', end: end + hasBeenKilledBy.length, tails: [] };
}

/** Nothing follows the mark: a line of a player list, or, up to 1.25, `Player "A" is connected (id=…)`. */
function readBare(line: Line, mark: IdMark, only: boolean): LineResult {
  const { text, start, at } = line;
  const hasConnected = text.endsWith(connectedBefore, mark.start);
  // Lists contain positions. Without one, and with a player before it, the line is a kill of 2015.
  if (!hasConnected && !mark.position && !only) return 'unread';
  const to = hasConnected ? mark.start - connectedBefore.length : mark.start;
  const name = readPlayerName(text, start, to);
  if (name === null) return 'unread';
  const player = seen(line, name, mark);
  if (player === null) return 'nothing';
  return hasConnected ? connected(at, player, mark) : { kind: 'seen', at, player };
}

const connectedBefore = ' is connected ';
const killedBy = ' killed by ';
const hasBeenKilledBy = ' has been killed by ';
const killTails = [' with '];
const hitBy = /(?:\[HP: [^\]"]{0,40}\])? hit by /y;
/** Bastion's log of grenades: `hit by P with AMMO into PART(n) for D damage (AMMO)`. */
const hitTails = [' into ', ' with '];
const playerNext = /player /iy;
const isPlayerNext = (text: string, at: number): boolean => endOfMatch(playerNext, text, at) >= 0;

type PlainKind = 'connecting' | 'connected' | 'disconnected' | 'respawn' | 'suicide' | 'seen' | 'gesture';

const plainTails = new Map<string, PlainKind | LonelyDeath>([
  [' is connected', 'connected'],
  [' has been disconnected', 'disconnected'],
  [' is choosing to respawn', 'respawn'],
  [' committed suicide', 'suicide'],
  [' committed suicide.', 'suicide'],
  [' bled out', 'bled-out'],
  [' has drowned while unconscious', 'drowned'],
  [' is connecting', 'connecting'],
  [' is unconscious', 'seen'],
  [' regained consciousness', 'seen'],
  [' is disconnecting while being unconscious', 'seen'],
  [' is disconnecting while being restrained', 'seen'],
]);

/** ` died. Stats> Water: 614.44 Energy: 18.1291 Bleed sources: 0`, ` drowned.` */
const died = /^ (died|drowned)\.?(?: (?:Stats>|Bleed sources:)[-+\w .:]*)?$/;
/** ` placed Land Mine`, `Built base on Fence with Hammer` */
const action =
  /^ ?(?:has raised|has lowered|was teleported|placed|built|crafted|dismantled|folded|unfolded|packed|unpacked|re-packed|repaired|destroyed|raised|lowered|mounted|unmounted|performed|buried|dug|locked|unlocked) /i;

/** `performed EmoteSalute`, and with something in hands: `performed EmoteSitA with R12`. */
const gesture = /^ performed (Emote\w{1,59})(?: with |$)/;
const readGesture = (tail: string): string | undefined => gesture.exec(tail)?.[1];

/**
 * `[HP: 80] stunned by …`, and actions for which the game writes the survivor's object: `Player SurvivorBase<…> …`.
 */
const oddAction = /^(?:\[HP: [^\]"]{1,40}\] stunned by |Player Survivor\w*<[^<>"]*> )/;

/** The meaning of the end of a line about one player. */
function readTail(tail: string): PlainKind | LonelyDeath | 'unread' {
  const plain = plainTails.get(tail);
  if (plain !== undefined) return plain;
  const match = died.exec(tail);
  if (match !== null) return match[1] as LonelyDeath;
  if (readGesture(tail) !== undefined) return 'gesture';
  return action.test(tail) || oddAction.test(tail) ? 'seen' : 'unread';
}

function seen({ text, words, oddNames }: Line, name: NameSpan, { id }: IdMark): SeenPlayer | null {
  if (id === null) return null;
  const { start, end } = name;
  if (!isOddName(text, name)) {
    oddNames.delete(id.id);
    return words.player(id, text, start, end);
  }
  // A line that was cut does not occur twice, a name does.
  const whole = text.slice(start, end);
  const isName = oddNames.of(id.id) === whole;
  oddNames.set(id.id, whole);
  return words.player(id, text, start, isName ? end : start);
}

/** Community Online Tools name the admin: `[COT] 76561197998690788: Teleported`. */
const adminTool = '[COT] ';
const steamIdLength = 17;
/** Several mods name a player as `NAME [steam64: ID;]`. The name is the player's own, hence only where the line says it once. */
const tagged = new RegExp(`\\[\\w{1,16}: (${steamIdSource});\\]`, 'g');
/**
 * Base Building Plus: `[BBP] 'NAME' (SteamID64) DISMANTLED …`. The name may contain such a mark, so the line must
 * have only one.
 */
const baseBuilding = '[BBP] ';
const baseBuilder = new RegExp(`' \\((${steamIdSource})\\) `, 'g');
/** DayZ Expansion can log what happens to its AI, too: `AI "NAME" (DEAD) (group=… pos=<…>) killed by P`. */
const silent = ['AI "', '#####', 'Chat', '[Chat', 'PLAYER REPORT: ', 'DEBUG: '];
/** `2024/5/1 |  [VPPAdminTools] …` */
const adminToolsOfVpp = /^(?:[0-9]{4}\/[0-9]{1,2}\/[0-9]{1,2} \| +)?\[VPP\w*\] /;

function readOtherLine(text: string, at: number, from: number, end: number, words: Vocabulary): LineResult {
  if (text.startsWith(adminTool, from)) {
    const start = from + adminTool.length;
    if (!text.startsWith(': ', start + steamIdLength)) return 'nothing';
    const known = words.id(text, start, start + steamIdLength);
    return known === null ? 'nothing' : identity(known.id, at);
  }
  const line = text.slice(from, end);
  if (line.startsWith(`${baseBuilding}'`)) {
    const [match, second] = line.matchAll(baseBuilder);
    if (match === undefined || second !== undefined) return 'nothing';
    const name = line.slice(baseBuilding.length + 1, match.index);
    return identity(match[1] as string, at, name === '' ? null : name);
  }
  if (line.includes(';]')) {
    const [match, second] = line.matchAll(tagged);
    if (match !== undefined && second === undefined) return identity(match[1] as string, at);
  }
  const isKnown = silent.some((word) => line.startsWith(word)) || adminToolsOfVpp.test(line);
  return isKnown ? 'nothing' : 'unread';
}

function identity(steamId64: string, at: number, name: string | null = null): LineResult {
  return { kind: 'identity', at, steamId64, battleyeGuid: null, name };
}
