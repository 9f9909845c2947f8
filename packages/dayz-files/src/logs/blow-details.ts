import { type DeathCause, maxCoordinate, type Position } from './events.ts';
import type { IdMark } from './player-prefix.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { NamedBlow } from './weapons.ts';

/** What hit or killed a player, from the rest of a line; fields that the line lacks are null. */
interface BlowDetails extends NamedBlow {
  cause: DeathCause | null;
}

/**
 * ` into Head(0) for 9 damage (Bullet_308Win)`; `Block(-1) for 0 damage` has no ammunition, and `into (-1)` no part of the
 * body.
 */
const landed = / into (\w{0,40})\(-?[0-9]{1,6}\) for [-+.0-9e]{1,24} damage(?: \(([^()]{1,80})\))?/;
const withWord = ' with ';

/**
 * Parses the text after ` hit by `, or after the mark of a player: ` into PART(n) for D damage (AMMO) with WEAPON
 * from M meters`, `SOURCE with AMMO`, `explosion (AMMO)`, `FallDamageHealth`.
 */
export function readHit(tail: string, words: Vocabulary): BlowDetails {
  const match = landed.exec(tail);
  if (match !== null) {
    const [whole, part = '', ammo] = match;
    const rest = tail.slice(match.index + whole.length);
    const { weapon, meters } = readWeapon(rest);
    return {
      cause: causeOfHit(tail.slice(0, match.index), ammo ?? ''),
      weapon: words.word(weapon),
      bodyPart: words.word(part),
      ammo: words.word(ammo ?? null),
      meters,
    };
  }
  const explosion = /^explosion(?: \(([^()]{1,80})\))?/.exec(tail);
  const [source, ammo = null] = explosion === null ? twoOf(tail) : ['explosion', explosion[1]];
  const cause = explosion === null ? causeOfHit(source, ammo ?? '') : 'explosion';
  return { cause, weapon: null, bodyPart: null, ammo: words.word(ammo), meters: null };
}

/**
 * Parses the text after ` killed by `, or after the mark of a player: ` with WEAPON from M meters`, ` with
 * (MeleeFist)`.
 */
export function readKill(tail: string, words: Vocabulary): BlowDetails {
  // Names of mods may contain ` with `, both of sources and of weapons; the game's own names do not.
  const at = tail.indexOf(withWord);
  const source = at < 0 ? tail : tail.slice(0, at);
  const { weapon, meters } = readWeapon(at < 0 ? '' : tail.slice(at));
  const isBare = weapon !== null && weapon.startsWith('(') && weapon.endsWith(')');
  return {
    cause: causeOfKill(source, weapon),
    weapon: isBare ? null : words.word(weapon),
    bodyPart: null,
    ammo: isBare ? words.word(weapon.slice(1, -1)) : null,
    meters,
  };
}

function readWeapon(tail: string): { weapon: string | null; meters: number | null } {
  if (!tail.startsWith(withWord)) return { weapon: null, meters: null };
  const { before, meters } = splitDistance(tail);
  const weapon = (before.length < withWord.length ? tail : before).slice(withWord.length).trim();
  return { weapon: weapon === '' ? null : weapon, meters };
}

function twoOf(tail: string): [source: string, ammo: string | null] {
  const at = tail.lastIndexOf(withWord);
  return at < 0 ? [tail, null] : [tail.slice(0, at), tail.slice(at + withWord.length).trim() || null];
}

const isAi = (source: string): boolean => source.startsWith('AI "');

/** The word for the infected is in the server's language, so the ammunition identifies the attacker. */
function causeOfHit(source: string, ammo: string): DeathCause | null {
  if (isAi(source)) return 'ai';
  return hitCauses.find(([pattern]) => pattern.test(ammo === '' ? source : ammo))?.[1] ?? null;
}

const hitCauses: readonly (readonly [RegExp, DeathCause])[] = [
  [/^FallDamage/, 'fall'],
  [/^Melee\w*(?:Zombie|Infected)/, 'infected'],
  [/^Melee(?:Wolf|Bear|Animal|Boar|Fox|Dog|Cow|Goat|Deer|Hen|Rooster|Pig|Sheep)/, 'animal'],
  [/^TransportHit/, 'vehicle'],
  [/^(?:BarbedWireHit|BearTrapHit)/, 'trap'],
  [/^FireDamage/, 'fire'],
];

/** By the class names of the game's objects; those of mods are identified by the hit that killed. */
function causeOfKill(source: string, weapon: string | null): DeathCause {
  if (isAi(source)) return 'ai';
  // Whoever threw a grenade or lit a fire is lost; of a shot, the shooter.
  if (source.trim() === '') {
    if (weapon === null) return 'player';
    return explosives.test(weapon) ? 'explosion' : fires.test(weapon) ? 'fire' : 'player';
  }
  return killCauses.find(([pattern]) => pattern.test(source))?.[1] ?? 'other';
}

/** By the names that players see. */
const explosives = /grenade|dynamite|explosive|\bmine\b|landmine|claymore|\bc4\b|plastic|\bied\b/i;

const fires = /^Fireplace|^Bonfire|^BarrelHoles|^OvenIndoor/;

const killCauses: readonly (readonly [RegExp, DeathCause])[] = [
  [/^Zmb|infected|zombie/i, 'infected'],
  [/^Animal_/, 'animal'],
  [/Trap|BarbedWire|^Fence|^Watchtower/, 'trap'],
  [/grenade|explosive|claymore|landmine|dynamite/i, 'explosion'],
  [fires, 'fire'],
  [
    /^(?:Civilian)?Sedan|^(?:Offroad)?Hatchback|^Offroad|^(?:V3S|Truck|Van|Bus|Boat|Zodiac|CrSk_|Expansion(?:Heli|Gyro|Uh1h|Mh6|Merlin|Bus|Vodnik|Tractor|Zodiac|Utility))/i,
    'vehicle',
  ],
];

const longestMeters = 10_000;
const fromWord = ' from ';
const metersWord = ' meters';

/** The `from D meters` at the end of a line; null if there is none or it is invalid (some are FLT_MAX). */
export const readMeters = (tail: string): number | null => splitDistance(tail).meters;

/** What stands before the distance at the end of a line, and the distance. The only code that knows how it is written. */
function splitDistance(tail: string): { before: string; meters: number | null } {
  const from = tail.endsWith(metersWord) ? tail.lastIndexOf(fromWord) : -1;
  if (from < 0) return { before: tail, meters: null };
  const before = tail.slice(0, from);
  const figure = tail.slice(from + fromWord.length, -metersWord.length);
  if (!/^[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?$/.test(figure)) return { before, meters: null };
  const meters = Number(figure);
  return { before, meters: meters > 0 && meters <= longestMeters ? meters : null };
}

/**
 * The `pos=<x, z, altitude>` of a mark; null if there is none or it is invalid, as for an entity that no longer
 * exists.
 */
export function readPosition(text: string, { position, end }: IdMark): Position | null {
  if (!position) return null;
  const [x, z] = text.slice(text.lastIndexOf('<', end) + 1, end - 2).split(',', 2);
  const place = { x: Number(x), z: Number(z) };
  const isNowhere = place.x === 0 && place.z === 0;
  return !isNowhere && isCoordinate(place.x) && isCoordinate(place.z) ? place : null;
}

const isCoordinate = (value: number): boolean => Math.abs(value) <= maxCoordinate;
