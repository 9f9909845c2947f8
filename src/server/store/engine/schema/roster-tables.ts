/** Who is on a server, as its log says: a row for each server whose log is followed and has a run under way. */
export interface RosterTable {
  server_id: string;
  /** Of the run under way, see `LogRunTable`. */
  header: string;
  /** 0: lines of the run are missing, and there was no list of players since. */
  complete: number;
  /** When the game last listed its players, by the log's clock; NULL: not in this run. */
  listed_at: number | null;
  /** The latest moment of any line, by the log's clock. */
  logged_at: number;
  /** Up to when the log says who is on, by the clock of the machine that reads it. */
  as_of: number;
  poll_every_ms: number;
}

/** Somebody who is on a server. Moments are by the log's clock. */
export interface RosterPlayerTable {
  server_id: string;
  /** The game's own id. */
  game_id: string;
  name: string;
  /** NULL: not known. */
  connected_at: number | null;
  /** The latest moment at which the player was connected and not in the game yet; NULL: is in the game. */
  absent_at: number | null;
}

/** Players whose `player_stats` must be computed again. */
export interface StaleStatisticsTable {
  player_id: number;
}
