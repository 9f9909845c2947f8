import type { ColumnType, Generated } from 'kysely';
import type { MetricColumn } from './metric-columns.ts';
import type { RunPlayerColumns } from './run-figures.ts';

/**
 * The tables of the store. Moments are epoch milliseconds (UTC), booleans 0 or 1, unknown is NULL.
 * The migrations create exactly this.
 */
export interface Schema {
  project: ProjectTable;
  server: ServerTable;
  server_state: ServerStateTable;
  server_sample: ServerSampleTable;
  schedule: ScheduleTable;
  restart_file: RestartFileTable;
  ban_list: BanListTable;
  ban: BanTable;
  ban_write: BanWriteTable;
  application: ApplicationTable;
  player: PlayerTable;
  player_alias: PlayerAliasTable;
  player_stats: PlayerStatsTable;
  log_run: LogRunTable;
  log_run_player: LogRunPlayerTable;
  character: CharacterTable;
  players_db: PlayersDbTable;
  imported_stats: ImportedStatsTable;
  log_file: LogFileTable;
  log_file_player: LogFilePlayerTable;
  source_state: SourceStateTable;
  stale_statistics: StaleStatisticsTable;
}

type Flag = number;
/** JSON text in a column. */
type Json = string;

/** A project of the config; `active` is 0 once it left the file. */
export interface ProjectTable {
  id: string;
  slug: string;
  name: string;
  plan: string;
  suspended: Flag;
  /** The support branding as `resources.support` serves it. */
  support: Json;
  active: Flag;
  /** Counted on by triggers with each change of what leaderboards show. */
  leaderboard_revision: Generated<number>;
}

/** A server of the config. `position` is its place in the file. */
export interface ServerTable {
  id: string;
  project_id: string;
  position: number;
  name: string;
  game: string;
  host: string;
  port: number;
  query_port: number | null;
  timezone: string;
  /** JSON object: which source counts metrics that two sources do, see `metric-sources.ts`. */
  metric_sources: Generated<Json>;
  active: Flag;
}

/** What the poller last saw of a server. */
export interface ServerStateTable {
  server_id: string;
  status: string;
  map: string | null;
  players: number | null;
  max_players: number | null;
  checked_at: number;
}

/** One reading a minute for charts; `players` is NULL while the server does not answer. */
export interface ServerSampleTable {
  server_id: string;
  /** Start of the minute. */
  sampled_at: number;
  players: number | null;
  max_players: number | null;
}

/** A schedule of the config. One with a `file`, a messages.xml, has its interval from there (`restart_file`). */
export interface ScheduleTable {
  id: Generated<number>;
  server_id: string;
  position: number;
  kind: string;
  title: string;
  description: string | null;
  recurrence: string;
  interval_minutes: number | null;
  time_of_day: string | null;
  /** JSON array of `MON` … `SUN`. */
  weekdays: Json;
  timezone: string;
  file: Generated<string | null>;
  public: Flag;
  active: Flag;
}

/** A messages.xml as it was last read; `restart_minutes` is NULL where it restarts no server. */
export interface RestartFileTable {
  path: string;
  restart_minutes: number | null;
}

export interface BanListTable {
  id: string;
  project_id: string;
  position: number;
  name: string;
  description: string | null;
  public: Flag;
  verification_status: string;
  /** JSON array of the ids of the servers on which the list is applied. */
  server_ids: Json;
  /** JSON object: source of bans → the ids of the servers whose file it is; a source that is not in it is every server's. */
  file_servers: Generated<Json>;
  active: Flag;
  /** How many bans of the list are served, ended ones included until they are retired; kept by triggers. */
  served_bans: Generated<number>;
}

/**
 * A ban of a list. `source` names where it was read (`config:<format>:<path>`, `import:<format>:<file name>` or `cli`)
 * and `source_key` the entry in it, so that reading the same source again finds the same ban. `player_name` is what the
 * source calls the player. Of a player's bans that were not lifted, one a list is served.
 */
export interface BanTable {
  id: Generated<number>;
  list_id: string;
  source: string;
  source_key: string;
  /** NULL where a source bans a bare name. */
  player_id: number | null;
  player_name: string | null;
  category: string;
  reason: string | null;
  /** NULL where the source does not say. */
  starts_at: number | null;
  /** NULL: permanent. */
  expires_at: number | null;
  first_seen_at: ColumnType<number, number, never>;
  /** Set when the ban was lifted or left its source. */
  lifted_at: number | null;
  /** ENFORCED where a game's file holds the ban, on the servers whose file it is; PENDING where none needs to. */
  state: string;
  /** 0 where another ban of the player in the list is served, or once it was retired after its end; of no meaning once lifted. */
  served: Generated<Flag>;
  /** The earliest start known of the player's bans in the list; NULL: none but its own `starts_at`. */
  since: number | null;
}

/**
 * The line that Outpost wrote into a ban file for a ban made by hand, as it is read back (`entry_key`, `reason`,
 * `expires_at` as in `BanEntry`), or why it could not (`error`).
 */
export interface BanWriteTable {
  ban_id: number;
  /** The file, as in `ban.source`. */
  source: string;
  /** NULL: nothing was written. */
  entry_key: string | null;
  reason: string | null;
  expires_at: number | null;
  error: string | null;
}

export interface ApplicationTable {
  id: string;
  project_id: string;
  name: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  /** Raised by every rotation; a token carries the generation under which it was issued. */
  generation: number;
  /** JSON array of scopes. */
  scopes: Json;
  /** NULL: the service's default. */
  requests_per_minute: number | null;
  created_at: number;
  rotated_at: number | null;
  revoked_at: number | null;
  /** To the minute; NULL: never. */
  last_used_at: number | null;
  /** 1: the embedded bot's, made anew at each start. */
  embedded: Flag;
}

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
}

/**
 * Under which names a player was seen on which server, and when. An empty name: seen, under no name or longer than
 * under one. An empty server: in a source that belongs to none.
 */
export interface PlayerAliasTable {
  player_id: number;
  name: string;
  server_id: Generated<string>;
  first_seen_at: number | null;
  last_seen_at: number | null;
}

/**
 * The metrics of a player over all sources, kept so that a leaderboard is one index scan. NULL: no source
 * reports it. Derived from log_run_player, character and imported_stats, never written otherwise.
 */
export interface PlayerStatsTable extends Record<MetricColumn, number | null> {
  player_id: number;
  project_id: string;
}

/**
 * One run of a game server's admin log: from a header (`AdminLog started on …`) to the next header or the end. The
 * header's local time names the run, whatever the file is called, so a rotated or copied file is the same run.
 */
export interface LogRunTable {
  id: Generated<number>;
  server_id: string;
  /** The header's own words, `2021-03-31 21:12:34`, in the server's local time. */
  header: string;
  started_at: number;
  file_name: string;
  bytes: number;
  /** A `RunDigest` of the run's bytes, hex; empty: unknown. */
  digest: string;
  lines: number;
  /** Lines that no rule knew. */
  unread_lines: number;
  imported_at: number;
  /** The version of `derivations.counts` that counted it. */
  counts_version: Generated<number>;
  /** 1: its lines show that the machine's clock is not in the server's zone. */
  off_zone: Generated<Flag>;
}

/** What one run says of one player; see `runFigures`. */
export interface LogRunPlayerTable extends RunPlayerColumns {
  run_id: number;
  player_id: number;
}

/** The last seen state of a character in a server's players.db, and what it came to over all its lives. */
export interface CharacterTable {
  server_id: string;
  player_id: number;
  /** JSON object of the stats as last read. */
  last: Json;
  /** JSON object of the same stats, growth summed over lives (of the longest hit the longest). */
  total: Json;
  /** When the last state was read first. */
  sampled_at: number;
  /** JSON array of digests of past states, oldest first: by one of them a backup is known. */
  earlier: Generated<Json>;
}

/** The reading of a server's players.db that was counted last. */
export interface PlayersDbTable {
  server_id: string;
  /** SQLite's own count of the changes of the file: a lower one is an older copy, or another file. */
  change_counter: number;
}

/**
 * Figures brought over from elsewhere with `import players`; `entry` is the identifier
 * under which they came, so that bringing them again replaces them, also after two players turned out to be one.
 */
export interface ImportedStatsTable extends Record<MetricColumn, number | null> {
  project_id: string;
  entry: string;
  player_id: number;
}

/** How far a file of a server's logs was read. */
export interface LogFileTable {
  server_id: string;
  path: string;
  /** The file's size and time when it was read last. */
  stamp: string;
  /** Offset in bytes up to which it was read; everything before it counts. */
  position: number;
  /** Whether that is inside a line that is too long to be read. */
  skipping: Flag;
  /** JSON of the digests by which the file is known again; NULL: it was read in one go. */
  marks: Json | null;
  lines: number;
  unread_lines: number;
  /** JSON array of lines that no rule knew, masked. */
  examples: Json;
  /** The latest moment that a line names. */
  last_event_at: number | null;
  /** JSON of where the reader stands in the run under way; NULL: there is none. */
  checkpoint: Json | null;
  /** The versions of `derivations` that have read it; what is older is read again. */
  counts_version: Generated<number>;
  identities_version: Generated<number>;
}

/** Where the counting of a player stands in the run under way of a followed file. */
export interface LogFilePlayerTable {
  server_id: string;
  path: string;
  game_id: string;
  /** JSON of a `PlayerState`. */
  tally: Json;
}

/** The result of the last check of a source of the config, written when it changes. */
export interface SourceStateTable {
  /** `logs`, `playersDb`, `bans`, … */
  kind: string;
  /** Of the server or ban list. */
  owner_id: string;
  path: string;
  /** JSON of the last reading's report. */
  report: Json | null;
  read_at: number | null;
  /** Why it cannot be read; NULL: it can. */
  error: string | null;
  error_at: number | null;
}

/** Players whose `player_stats` are older than what the sources say. */
export interface StaleStatisticsTable {
  player_id: number;
}
