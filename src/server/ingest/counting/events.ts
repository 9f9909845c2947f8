import * as z from 'zod';
import { type DeathCause, deathCauses, type HowKilled, type WeaponKind } from '../../../api/death-causes.ts';
import { isLocalTime } from '../logs/formats/local-clock.ts';
import { dayzIdPattern, steamIdPattern } from './game-ids.ts';

export type { DeathCause, HowKilled, WeaponKind };

/** Positions further away are invalid; some are FLT_MAX. */
export const maxCoordinate = 100_000;
/** Longer names of weapons, ammunition and body parts are cut. */
export const maxWordLength = 64;

/** Epoch milliseconds, in the range of the contract's dates, whose years have four digits. */
const at = z
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31), 'expected epoch milliseconds');
const id = z
  .string()
  .regex(/^[\w=+/.:-]{1,64}$/, 'expected an id of the game’s: 1 to 64 letters, digits or _ = + / . : -')
  .refine((text) => !/^[0-9]{17}$/.test(text) || steamIdPattern.test(text), 'is no SteamID64 of a person');
/** A player in the game's log: `id` is the game's own id, or a SteamID64 in logs of 2015. */
const player = z.strictObject({ id, name: z.string().max(1000) });
const meters = z.number().positive().max(10_000).nullable();
const axis = z.number().min(-maxCoordinate).max(maxCoordinate);
/** On the terrain's map: metres from its south-western corner, to the east and to the north. */
const position = z.strictObject({ x: axis, z: axis });
const place = position.nullable().optional();
const word = z.string().min(1).max(maxWordLength).nullable().optional();
/** Details that are not counted. Left out: the source never has them; null: it lacks them here. */
const blow = {
  cause: z.enum(deathCauses).nullable().optional(),
  /** The weapon's name in the game. */
  weapon: word,
  /** The game's name of the body part: `Head`. */
  bodyPart: word,
  /** The game's name of the ammunition: `Bullet_308Win`, `MeleeFist`. */
  ammo: word,
  /** The victim's. */
  position: place,
};
const header = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$/, 'expected YYYY-MM-DD HH:MM:SS')
  .refine(isLocalTime, 'is no date and time');
const gesture = z
  .string()
  .regex(/^\w{1,64}$/, 'expected a gesture of the game’s: 1 to 64 letters, digits or _');
/** Deaths without an attacker. */
const lonelyDeath = z.enum(['died', 'drowned', 'bled-out'] satisfies DeathCause[]);

const aboutPlayer = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), at, player });

/**
 * What happened on a game server, the same for every source and game. Readers produce these events and counting
 * consumes them; neither knows the other. All events are plain data: each is a line of NDJSON.
 */
export const gameEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run-started'), at, header }),
  /** The run was read completely; `at` is its last moment. */
  z.strictObject({ kind: z.literal('run-ended'), at }),
  /** `inGame`: the player already has a character; left out: it is still loading, or the source does not say. */
  z.strictObject({ kind: z.literal('connected'), at, player, inGame: z.literal(true).optional() }),
  /** The player logs in: the next `connected` is no respawn. */
  aboutPlayer('connecting'),
  aboutPlayer('disconnected'),
  /** A player has disconnected whose id the source lacks. */
  z.strictObject({ kind: z.literal('dropped'), at, name: z.string().max(1000) }),
  /** A new character is about to start. */
  aboutPlayer('respawn'),
  z.strictObject({ kind: z.literal('suicide'), at, player, position: place }),
  /** The source names the player without anything that counts: a player list, an action, a chat line. */
  aboutPlayer('seen'),
  /** A gesture by the game's name, `EmoteSalute`. It counts for nothing; members prove by gestures who they are. */
  z.strictObject({ kind: z.literal('gesture'), at, player, gesture }),
  /** Everybody in the game, except players who are still loading. Each of them has a `seen` event, too. */
  z.strictObject({ kind: z.literal('player-list'), at, players: z.array(player).max(1000) }),
  /** `corpse`: the victim was already dead, or this is the hit that killed. */
  z.strictObject({
    kind: z.literal('hit'),
    at,
    victim: player.nullable(),
    corpse: z.boolean(),
    attacker: player.nullable(),
    meters,
    ...blow,
    attackerPosition: place,
  }),
  /** Killed by somebody or something; `killer` is null if it was not a known player. */
  z.strictObject({
    kind: z.literal('killed'),
    at,
    victim: player.nullable(),
    killer: player.nullable(),
    meters,
    ...blow,
    killerPosition: place,
  }),
  z.strictObject({ kind: z.literal('died'), at, player, cause: lonelyDeath, position: place }),
  /** Identifiers that belong to one person according to the source. */
  z.strictObject({
    kind: z.literal('identity'),
    at: at.nullable(),
    steamId64: z.string().regex(steamIdPattern, 'expected a SteamID64').nullable(),
    battleyeGuid: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'expected 32 lower-case hex digits')
      .nullable(),
    dayzId: z.string().regex(dayzIdPattern, 'expected a DayZ id').nullable(),
    name: z.string().max(1000).nullable(),
  }),
]);

export type GameEvent = z.infer<typeof gameEvent>;
export type SeenPlayer = z.infer<typeof player>;
export type Position = z.infer<typeof position>;
export type LonelyDeath = z.infer<typeof lonelyDeath>;
export type SeenIdentity = Extract<GameEvent, { kind: 'identity' }>;
/** The players of all these events are known by their ids. */
export type IdentifiedEvent = Exclude<GameEvent, { kind: 'dropped' }>;

const uncounted = new Set([
  'inGame',
  'weapon',
  'bodyPart',
  'ammo',
  'position',
  'attackerPosition',
  'killerPosition',
]);

/** An event without its uncounted details; copies of a run are compared by this, whichever program wrote them. */
export function countedPart(event: GameEvent): object {
  // As versions before these kinds read them.
  if (event.kind === 'gesture' || event.kind === 'connecting')
    return { kind: 'seen', at: event.at, player: event.player };
  const counted = Object.entries(event).filter(
    ([key]) => !uncounted.has(key) && (key !== 'cause' || event.kind === 'died'),
  );
  return Object.fromEntries(counted);
}
