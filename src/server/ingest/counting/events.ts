/**
 * What happened on a game server, the same for every source and game: readers produce these, counting consumes them,
 * and neither knows the other. Moments are epoch milliseconds; all events are plain data (one is a line of NDJSON).
 */
export type GameEvent =
  | { kind: 'run-started'; at: number; header: string }
  /** Everything of the run has been read; `at` is the last time seen in it. */
  | { kind: 'run-ended'; at: number }
  | { kind: 'connected'; at: number; player: SeenPlayer }
  | { kind: 'disconnected'; at: number; player: SeenPlayer }
  /** A new character is about to begin. */
  | { kind: 'respawn'; at: number; player: SeenPlayer }
  /** `corpse`: the victim was dead already, or this is the hit that killed. */
  | {
      kind: 'hit';
      at: number;
      victim: SeenPlayer | null;
      corpse: boolean;
      attacker: SeenPlayer | null;
      meters: number | null;
    }
  /** Killed by somebody or something; `killer` is null when it was no known player. */
  | {
      kind: 'killed';
      at: number;
      victim: SeenPlayer | null;
      killer: SeenPlayer | null;
      meters: number | null;
    }
  | { kind: 'died'; at: number; player: SeenPlayer; cause: DeathCause }
  | { kind: 'suicide'; at: number; player: SeenPlayer }
  /** The source names the player without anything that counts: a player list, an action, a chat line. */
  | { kind: 'seen'; at: number; player: SeenPlayer }
  | ({ kind: 'identity'; at: number | null } & SeenIdentity);

export type DeathCause = 'died' | 'drowned' | 'bled-out';

/** A player as the game's log names one: `id` is the game's own id, or a SteamID64 in logs of 2015. */
export interface SeenPlayer {
  id: string;
  name: string;
}

/** Identifiers that a source says belong to one person. */
export interface SeenIdentity {
  steamId64: string | null;
  battleyeGuid: string | null;
  dayzId: string | null;
  name: string | null;
}
