import type { Generated } from 'kysely';
import type { MetricColumn } from './metric-columns.ts';

/** A person of a project. Identifiers are unique within the project; two rows that turn out to be one are merged. */
export interface PlayerTable {
  id: Generated<number>;
  project_id: string;
  steam_id64: string | null;
  battleye_guid: string | null;
  cftools_id: string | null;
  /** The game's own id: `id=` of an admin log (PC, Xbox, PlayStation), UID of players.db. */
  dayz_id: string | null;
  /** Latest name. */
  name: string | null;
  first_seen_at: number | null;
  last_seen_at: number | null;
  /** See `visibility`. */
  hidden: Generated<number>;
}

/**
 * The names under which a player was seen on each server, and when. An empty name: seen under no name, or longer than
 * under the known ones. An empty server: the source belongs to no server.
 */
export interface PlayerAliasTable {
  player_id: number;
  name: string;
  server_id: Generated<string>;
  first_seen_at: number | null;
  last_seen_at: number | null;
}

/**
 * The metrics of a player over all sources, stored so that a leaderboard is one index scan. NULL: no source contains
 * it. Always derived from log_run_player, character and imported_stats.
 */
export interface PlayerStatsTable extends Record<MetricColumn, number | null> {
  player_id: number;
  project_id: string;
}

/** The last state of a character in a server's players.db, and its totals over all its lives. */
export interface CharacterTable {
  server_id: string;
  player_id: number;
  /** JSON object of the largest stats of the present life. */
  last: string;
  /** JSON object of the same stats, growth summed over lives (for the longest hit, the maximum). */
  total: string;
  /** When the last state was first read. */
  sampled_at: number;
}

/** When the players.db that a server's game writes was read last. */
export interface PlayersDbTable {
  server_id: string;
  read_at: number;
}

/**
 * Figures from `import players`. `entry` is the identifier under which they were imported, so that importing them
 * again replaces them, even after two players were merged.
 */
export interface ImportedStatsTable extends Record<MetricColumn, number | null> {
  project_id: string;
  entry: string;
  player_id: number;
}
