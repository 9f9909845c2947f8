import type { Generated } from 'kysely';

/**
 * A stay of a player on a server, from coming on to leaving, as a log said while it grew. Moments are by the log's clock.
 * Kept for two days.
 */
export interface StayTable {
  /** Never reused. */
  id: Generated<number>;
  project_id: string;
  server_id: string;
  player_id: number;
  /** The game's own id. */
  game_id: string;
  name: string;
  at: number;
  /** NULL: is on. */
  left_at: number | null;
  /** 1: the player was away for a moment only, and came back under another name. */
  continued: number;
  /** 1: it began just before it was stored, although its time says something else. */
  just_now: number;
  stored_at: number;
}

/** Whom the moderators of a project watch: a player, or who comes on with an identifier or a name. Ids are Discord's. */
export interface WatchEntryTable {
  id: Generated<number>;
  project_id: string;
  player_id: number | null;
  /** Of a player who was unknown when the entry was made; in its canonical form. */
  identifier: string | null;
  /** As typed. */
  name: string | null;
  reason: string | null;
  /** NULL: until it is removed. */
  expires_at: number | null;
  added_at: number;
  guild_id: string;
  added_by: string;
}
