import type { DeathCause, HowKilled, WeaponKind } from '../../../api/death-causes.ts';

/**
 * What happened on a game server, the same for every source and game. Readers produce these events and counting
 * consumes them; neither knows the other. Moments are epoch milliseconds; all events are plain data (each is a line
 * of NDJSON).
 */
export type GameEvent =
  | { kind: 'run-started'; at: number; header: string }
  /** The run was read completely; `at` is its last moment. */
  | { kind: 'run-ended'; at: number }
  /** `inGame`: the player already has a character; left out: it is still loading, or the source does not say. */
  | { kind: 'connected'; at: number; player: SeenPlayer; inGame?: true | undefined }
  | { kind: 'disconnected'; at: number; player: SeenPlayer }
  /** A player has disconnected whose id the source lacks. */
  | { kind: 'dropped'; at: number; name: string }
  /** A new character is about to start. */
  | { kind: 'respawn'; at: number; player: SeenPlayer }
  /** `corpse`: the victim was already dead, or this is the hit that killed. */
  | ({
      kind: 'hit';
      at: number;
      victim: SeenPlayer | null;
      corpse: boolean;
      attacker: SeenPlayer | null;
      meters: number | null;
    } & BlowDetails & { attackerPosition?: Position | null | undefined })
  /** Killed by somebody or something; `killer` is null if it was not a known player. */
  | ({
      kind: 'killed';
      at: number;
      victim: SeenPlayer | null;
      killer: SeenPlayer | null;
      meters: number | null;
    } & BlowDetails & { killerPosition?: Position | null | undefined })
  | ({ kind: 'died'; at: number; player: SeenPlayer; cause: LonelyDeath } & Place)
  | ({ kind: 'suicide'; at: number; player: SeenPlayer } & Place)
  /** The source names the player without anything that counts: a player list, an action, a chat line. */
  | { kind: 'seen'; at: number; player: SeenPlayer }
  /** A gesture by the game's name, `EmoteSalute`. It counts for nothing; members prove by gestures who they are. */
  | { kind: 'gesture'; at: number; player: SeenPlayer; gesture: string }
  /** Everybody in the game, except players who are still loading. Each of them has a `seen` event, too. */
  | { kind: 'player-list'; at: number; players: SeenPlayer[] }
  | ({ kind: 'identity'; at: number | null } & SeenIdentity);

/** The players of all these events are known by their ids. */
export type IdentifiedEvent = Exclude<GameEvent, { kind: 'dropped' }>;

export type { DeathCause, HowKilled, WeaponKind };

/** Deaths without an attacker. */
export const lonelyDeaths = ['died', 'drowned', 'bled-out'] as const satisfies readonly DeathCause[];
export type LonelyDeath = (typeof lonelyDeaths)[number];

/** Details that are not counted. Left out: the source never has them; null: it lacks them here. */
export interface BlowDetails extends Place {
  cause?: DeathCause | null | undefined;
  /** The weapon's name in the game. */
  weapon?: string | null | undefined;
  /** The game's name of the body part: `Head`. */
  bodyPart?: string | null | undefined;
  /** The game's name of the ammunition: `Bullet_308Win`, `MeleeFist`. */
  ammo?: string | null | undefined;
}

/** The victim's position. */
export interface Place {
  position?: Position | null | undefined;
}

/** On the terrain's map: metres from its south-western corner, to the east and to the north. */
export interface Position {
  x: number;
  z: number;
}

/** Positions further away are invalid; some are FLT_MAX. */
export const maxCoordinate = 100_000;
/** Longer names of weapons, ammunition and body parts are cut. */
export const maxWordLength = 64;

/** An event without its uncounted details; copies of a run are compared by this, whichever program wrote them. */
export function countedPart(event: GameEvent): object {
  switch (event.kind) {
    case 'hit': {
      const { kind, at, victim, corpse, attacker, meters } = event;
      return { kind, at, victim, corpse, attacker, meters };
    }
    case 'killed': {
      const { kind, at, victim, killer, meters } = event;
      return { kind, at, victim, killer, meters };
    }
    case 'died': {
      const { kind, at, player, cause } = event;
      return { kind, at, player, cause };
    }
    case 'connected':
    case 'suicide': {
      const { kind, at, player } = event;
      return { kind, at, player };
    }
    case 'gesture': {
      // As earlier versions read it.
      const { at, player } = event;
      return { kind: 'seen', at, player };
    }
    default:
      return event;
  }
}

/** A player in the game's log: `id` is the game's own id, or a SteamID64 in logs of 2015. */
export interface SeenPlayer {
  id: string;
  name: string;
}

/** Identifiers that belong to one person according to a source. */
export interface SeenIdentity {
  steamId64: string | null;
  battleyeGuid: string | null;
  dayzId: string | null;
  name: string | null;
}
