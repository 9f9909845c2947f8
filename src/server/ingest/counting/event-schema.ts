import * as z from 'zod';
import { deathCauses } from '../../../api/death-causes.ts';
import { type GameEvent, lonelyDeaths, maxCoordinate, maxWordLength } from './events.ts';
import { dayzIdPattern, steamIdPattern } from './game-ids.ts';
import { isLocalTime } from '../logs/local-clock.ts';

/** The range of the contract's dates, whose years have four digits. */
const at = z
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31), 'expected epoch milliseconds');
const id = z
  .string()
  .regex(/^[\w=+/.:-]{1,64}$/, 'expected an id of the game’s: 1 to 64 letters, digits or _ = + / . : -')
  .refine((text) => !/^[0-9]{17}$/.test(text) || steamIdPattern.test(text), 'is no SteamID64 of a person');
const player = z.strictObject({ id, name: z.string().max(1000) });
const meters = z.number().positive().max(10_000).nullable();
const word = z.string().min(1).max(maxWordLength).nullable().optional();
const axis = z.number().min(-maxCoordinate).max(maxCoordinate);
const position = z.strictObject({ x: axis, z: axis }).nullable().optional();
const blow = {
  cause: z.enum(deathCauses).nullable().optional(),
  weapon: word,
  bodyPart: word,
  ammo: word,
  position,
};
const header = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$/, 'expected YYYY-MM-DD HH:MM:SS')
  .refine(isLocalTime, 'is no date and time');
const gesturePattern = /^\w{1,64}$/;
const aboutPlayer = <Kind extends GameEvent['kind']>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), at, player });

/** One line of NDJSON; the same closed union as `GameEvent`. */
export const gameEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run-started'), at, header }),
  z.strictObject({ kind: z.literal('run-ended'), at }),
  z.strictObject({ kind: z.literal('connected'), at, player, inGame: z.literal(true).optional() }),
  aboutPlayer('disconnected'),
  z.strictObject({ kind: z.literal('dropped'), at, name: z.string().max(1000) }),
  aboutPlayer('respawn'),
  z.strictObject({ kind: z.literal('suicide'), at, player, position }),
  aboutPlayer('seen'),
  z.strictObject({
    kind: z.literal('gesture'),
    at,
    player,
    gesture: z
      .string()
      .regex(gesturePattern, 'expected a gesture of the game’s: 1 to 64 letters, digits or _'),
  }),
  z.strictObject({ kind: z.literal('player-list'), at, players: z.array(player).max(1000) }),
  z.strictObject({
    kind: z.literal('hit'),
    at,
    victim: player.nullable(),
    corpse: z.boolean(),
    attacker: player.nullable(),
    meters,
    ...blow,
    attackerPosition: position,
  }),
  z.strictObject({
    kind: z.literal('killed'),
    at,
    victim: player.nullable(),
    killer: player.nullable(),
    meters,
    ...blow,
    killerPosition: position,
  }),
  z.strictObject({ kind: z.literal('died'), at, player, cause: z.enum(lonelyDeaths), position }),
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
]) satisfies z.ZodType<GameEvent>;
