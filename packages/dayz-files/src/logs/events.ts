/** Positions further away are invalid; some are FLT_MAX. */
export const maxCoordinate = 100_000;
/** Longer names of weapons, ammunition and body parts are cut. */
export const maxWordLength = 64;

/** A player in an admin log: `id` is the DayZ id, or a SteamID64 in logs of 2015. */
export interface SeenPlayer {
  id: string;
  name: string;
}

/** On the terrain's map: metres from its south-western corner, to the east and to the north. */
export interface Position {
  x: number;
  z: number;
}

/**
 * What killed a player. `player`: another player, who may be unknown; `self`: the victim's own weapon; `ai`: a mod's armed
 * characters; `died`: the log gives no cause, as with hunger or illness; `other`: a cause that no rule matches.
 */
export type DeathCause =
  | 'player'
  | 'self'
  | 'suicide'
  | 'ai'
  | 'infected'
  | 'animal'
  | 'vehicle'
  | 'fall'
  | 'explosion'
  | 'trap'
  | 'fire'
  | 'drowned'
  | 'bled-out'
  | 'died'
  | 'other';

/** Deaths without an attacker. */
export type LonelyDeath = Extract<DeathCause, 'died' | 'drowned' | 'bled-out'>;

/** What hit or killed. Left out: the log never says it; null: it does not say it here. */
interface Blow {
  cause?: DeathCause | null;
  /** The weapon's name in the game. */
  weapon?: string | null;
  /** The game's name of the body part: `Head`. */
  bodyPart?: string | null;
  /** The game's name of the ammunition: `Bullet_308Win`, `MeleeFist`. */
  ammo?: string | null;
  /** The victim's. */
  position?: Position | null;
}

/** @param Kind of an event that says nothing but who and when */
interface AboutPlayer<Kind extends string> {
  kind: Kind;
  at: number;
  player: SeenPlayer;
}

/** What happened on a game server, the same for every kind of log. All events are plain data; `at` is epoch milliseconds. */
export type GameEvent =
  /** `header` is the server's local time, `2021-03-31 21:12:34`; `isRest`: it is that of the first line (`LogRest`). */
  | { kind: 'run-started'; at: number; header: string; isRest: boolean }
  /** The run was read completely; `at` is its last moment. */
  | { kind: 'run-ended'; at: number }
  /** `inGame`: the player already has a character; left out: it is still loading, or the log does not say. */
  | (AboutPlayer<'connected'> & { inGame?: true })
  /** The player logs in: the next `connected` is no respawn. */
  | AboutPlayer<'connecting'>
  | AboutPlayer<'disconnected'>
  /** A player has disconnected whose id the log lacks. */
  | { kind: 'dropped'; at: number; name: string }
  /** A new character is about to start. */
  | AboutPlayer<'respawn'>
  | (AboutPlayer<'suicide'> & { position?: Position | null })
  /** The log names the player without another event: a line of a player list, an action. */
  | AboutPlayer<'seen'>
  /** A gesture by the game's name: `EmoteSalute`. */
  | (AboutPlayer<'gesture'> & { gesture: string })
  /** Everybody in the game, except players who are still loading. Each of them has a `seen` event, too. */
  | { kind: 'player-list'; at: number; players: SeenPlayer[] }
  /** `corpse`: the victim was already dead, or this is the hit that killed. */
  | ({
      kind: 'hit';
      at: number;
      victim: SeenPlayer | null;
      corpse: boolean;
      attacker: SeenPlayer | null;
      meters: number | null;
      attackerPosition?: Position | null;
    } & Blow)
  /** Killed by somebody or something; `killer` is null if it was not a known player. */
  | ({
      kind: 'killed';
      at: number;
      victim: SeenPlayer | null;
      killer: SeenPlayer | null;
      meters: number | null;
      killerPosition?: Position | null;
    } & Blow)
  | (AboutPlayer<'died'> & { cause: LonelyDeath; position?: Position | null })
  /** Ids that belong to one person according to the log; `at` is null where the log has no date. */
  | {
      kind: 'identity';
      at: number | null;
      steamId64: string | null;
      battleyeGuid: string | null;
      name: string | null;
    };

export type SeenIdentity = Extract<GameEvent, { kind: 'identity' }>;
/** The players of all these events are known by their ids. */
export type IdentifiedEvent = Exclude<GameEvent, { kind: 'dropped' }>;
