import type { DeathCause } from '../../../api/death-causes.ts';
import type { RunDeath } from '../../store/repositories/kills/save-deaths.ts';
import { isPseudonym } from '../../store/repositories/rights/forgotten-list.ts';
import type { GameEvent, SeenPlayer } from 'dayz-files';

/** A death according to one line, or to all its lines together; positions are kept separately. */
export interface DeathDetails {
  /** Of its first line. */
  at: number;
  cause: DeathCause;
  /** The game's id of the killer; null: no killer, or an unknown one. */
  killer: string | null;
  weapon: string | null;
  bodyPart: string | null;
  ammo: string | null;
  meters: number | null;
}

/** The hit that killed: `(DEAD)[HP: 0] hit by …`, which precedes the line of the death and has more details. */
export interface DeadlyHit extends Pick<DeathDetails, 'at' | 'weapon' | 'bodyPart' | 'ammo'> {
  cause: DeathCause | null;
  attacker: string | null;
}

/** Positions of a victim and a known killer. */
export type DeathPositions = Pick<RunDeath, 'position' | 'killerPosition'>;

type Killed = Extract<GameEvent, { kind: 'killed' }>;

export function deathByKill(event: Killed): DeathDetails {
  const isSelf = event.killer !== null && event.killer.id === event.victim?.id;
  const cause = isSelf ? 'self' : event.killer === null ? (event.cause ?? 'other') : 'player';
  const { at, meters, weapon = null, bodyPart = null, ammo = null } = event;
  return { at, cause, killer: isSelf ? null : (event.killer?.id ?? null), weapon, bodyPart, ammo, meters };
}

/** A death according to a line that names only the victim (`died.`, `bled out`, `committed suicide`). */
export function simpleDeath(at: number, cause: DeathCause): DeathDetails {
  return { at, cause, killer: null, weapon: null, bodyPart: null, ammo: null, meters: null };
}

/** Where a victim and a known killer were; that of forgotten players is not kept. */
export function positionsOf(
  victim: SeenPlayer,
  { position = null }: Pick<Killed, 'position'>,
  { killer, killerPosition = null }: Pick<Killed, 'killer' | 'killerPosition'> = { killer: null },
): DeathPositions {
  return {
    position: isPseudonym(victim.id) ? null : position,
    killerPosition: killer === null || isPseudonym(killer.id) ? null : killerPosition,
  };
}

/** Of two lines about one death, the one that knows more counts; otherwise the first. */
export function joinDeaths(first: DeathDetails, other: DeathDetails): DeathDetails {
  return knowledgeOf(other) > knowledgeOf(first) ? { ...other, at: first.at } : first;
}

/** How much a line says about a death. A kill ranks above a suicide that the log also reports within the same seconds. */
function knowledgeOf({ cause, killer }: DeathDetails): number {
  if (killer !== null) return 4;
  if (cause === 'suicide') return 3;
  if (cause === 'died') return 0;
  return cause === 'bled-out' || cause === 'drowned' ? 1 : 2;
}

/** A log's times are whole seconds; the killing hit has the same second as the death. */
const oneSecondMs = 1000;

export function isSameSecond(a: number, b: number): boolean {
  return Math.abs(a - b) < oneSecondMs;
}

/** Adds the details of the hit that killed, where it is the hit of this death. */
export function withHit(victim: string, death: DeathDetails, hit: DeadlyHit | null): DeathDetails {
  if (hit === null || !isSameSecond(hit.at, death.at) || !canBeHitOf(victim, death, hit)) return death;
  return {
    ...death,
    cause: isVague(death.cause) ? (hit.cause ?? death.cause) : death.cause,
    weapon: death.weapon ?? hit.weapon,
    bodyPart: death.bodyPart ?? hit.bodyPart,
    ammo: death.ammo ?? hit.ammo,
  };
}

const isVague = (cause: DeathCause): boolean => cause === 'died' || cause === 'other';
/** A land mine causes both. */
const isBlast = (cause: DeathCause): boolean => cause === 'explosion' || cause === 'trap';

/** Whether the attacker and cause of a hit agree with those of a death. */
function canBeHitOf(victim: string, { cause, killer }: DeathDetails, hit: DeadlyHit): boolean {
  // The log does not say whose grenade hit.
  if (killer !== null) return hit.attacker === killer || (hit.attacker === null && hit.cause === 'explosion');
  if (cause === 'self' || cause === 'suicide') return hit.attacker === victim || hit.cause === 'explosion';
  if (hit.attacker !== null) return false;
  // The log reports a deadly fall as `died`.
  if (cause === 'other' && hit.cause === 'fall') return false;
  if (hit.cause === null || hit.cause === cause || isVague(cause)) return true;
  return isBlast(cause) && isBlast(hit.cause);
}
