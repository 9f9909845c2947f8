import type { ColumnType, Generated } from 'kysely';
import type {
  RestartFileTable,
  RestoredServerTable,
  ScheduleTable,
  ServerSampleTable,
  ServerStateTable,
  SmallValueTable,
  TrustedHostTable,
} from './project-tables.ts';
import type { DeathCellTable, DeathTable } from './death-table.ts';
import type {
  ForgottenKeyTable,
  ForgottenNameTable,
  ForgottenTable,
  MemberRoleTable,
  NamingMessageTable,
  RightsTable,
} from './rights-tables.ts';
import type { LinkTables } from './link-tables.ts';
import type {
  CharacterTable,
  ImportedStatsTable,
  PlayerAliasTable,
  PlayersDbTable,
  PlayerStatsTable,
  PlayerTable,
} from './player-tables.ts';
import type { RosterPlayerTable, RosterTable, StaleStatisticsTable } from './roster-tables.ts';
import type { RunPlayerColumns } from './run-figures.ts';
import type { SharedTables } from './shared-tables.ts';
import type { StayTable, WatchEntryTable } from './watch-tables.ts';

/**
 * The tables of the store. Moments are epoch milliseconds (UTC), booleans 0 or 1, unknown is NULL.
 * The migrations create exactly this.
 */
export interface Schema extends LinkTables, SharedTables {
  project: ProjectTable;
  server: ServerTable;
  server_state: ServerStateTable;
  server_sample: ServerSampleTable;
  schedule: ScheduleTable;
  restart_file: RestartFileTable;
  ban_list: BanListTable;
  ban: BanTable;
  application: ApplicationTable;
  player: PlayerTable;
  player_alias: PlayerAliasTable;
  player_stats: PlayerStatsTable;
  log_run: LogRunTable;
  log_run_player: LogRunPlayerTable;
  death: DeathTable;
  death_cell: DeathCellTable;
  character: CharacterTable;
  players_db: PlayersDbTable;
  imported_stats: ImportedStatsTable;
  log_file: LogFileTable;
  log_file_player: LogFilePlayerTable;
  roster: RosterTable;
  roster_player: RosterPlayerTable;
  source_state: SourceStateTable;
  stale_statistics: StaleStatisticsTable;
  trusted_host: TrustedHostTable;
  restored_server: RestoredServerTable;
  keyv: SmallValueTable;
  member_role: MemberRoleTable;
  rights: RightsTable;
  forgotten: ForgottenTable;
  forgotten_key: ForgottenKeyTable;
  forgotten_name: ForgottenNameTable;
  naming_message: NamingMessageTable;
  stay: StayTable;
  watch_entry: WatchEntryTable;
}

type Flag = number;
/** JSON text in a column. */
type Json = string;

/** A project of the config; `active` is 0 after it was removed from the file. */
interface ProjectTable {
  id: string;
  slug: string;
  name: string;
  plan: string;
  suspended: Flag;
  /** The support branding, as in `resources.support`. */
  support: Json;
  active: Flag;
  /** For how long deaths are kept. */
  kills_kept_ms: Generated<number>;
  /** 1: with where they were. */
  kill_positions: Generated<Flag>;
  /** 1: boards leave out whom its ban lists ban for good; see `on-boards.ts`. */
  hide_banned: Generated<Flag>;
}

/** A server of the config. */
interface ServerTable {
  id: string;
  project_id: string;
  position: number;
  name: string;
  game: string;
  host: string;
  port: number;
  query_port: number | null;
  timezone: string;
  /** JSON object: which source counts for metrics that two sources contain; see `metric-sources.ts`. */
  metric_sources: Generated<Json>;
  /** Where its files lie (`placeName`); null: on this machine. */
  files_at: string | null;
  active: Flag;
}

interface BanListTable {
  id: string;
  project_id: string;
  position: number;
  name: string;
  description: string | null;
  public: Flag;
  verification_status: string;
  /** JSON array of the ids of the servers to which the list applies. */
  server_ids: Json;
  /**
   * JSON object: source of bans → ids of the servers that use its file; a source without an entry applies to every
   * server.
   */
  file_servers: Generated<Json>;
  active: Flag;
  /** How many bans of the list are served, ended ones included; maintained by triggers. */
  served_bans: Generated<number>;
}

/**
 * A ban of a list. `source` says where it was read (`config:<format>:<path>`, `import:<format>:<file name>` or `cli`)
 * and `source_key` identifies the entry there, so that reading the same source again finds the same ban.
 * `player_name` is the player's name in the source. Of a player's bans that are not lifted, one per list is served.
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
  /** NULL: the source does not contain it. */
  starts_at: number | null;
  /** NULL: permanent. */
  expires_at: number | null;
  first_seen_at: ColumnType<number, number, never>;
  /** When the ban was lifted or removed from its source. */
  lifted_at: number | null;
  /** ENFORCED where a game's file contains the ban, on the servers that use the file; PENDING where none needs to. */
  state: string;
  /**
   * 0 where another ban of the player in the list is served; meaningless once lifted.
   */
  served: Generated<Flag>;
  /** The earliest known start of the player's bans in the list; NULL: only its own `starts_at` is known. */
  since: number | null;
}

interface ApplicationTable {
  id: string;
  project_id: string;
  name: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  /** Incremented by every rotation; a token contains the generation for which it was issued. */
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
  /** 1: the embedded bot's application, created at each start. */
  embedded: Flag;
}

/**
 * One run of a game server's admin log: from a header (`AdminLog started on …`) to the next header or the end. The
 * header's local time identifies the run, not the file's name, so a rotated or copied file is the same run.
 */
export interface LogRunTable {
  id: Generated<number>;
  server_id: string;
  /** The time in the header as written, `2021-03-31 21:12:34`, in the server's local time. */
  header: string;
  started_at: number;
  file_name: string;
  bytes: number;
  /** A `RunDigest` of the run's bytes, hex; empty: unknown. */
  digest: string;
  lines: number;
  /** Lines that no rule matched. */
  unread_lines: number;
  imported_at: number;
  /** The version of `derivations.counts` that counted it. */
  counts_version: Generated<number>;
  /** 1: its lines show that the machine's clock is not in the server's zone. */
  off_zone: Generated<Flag>;
}

/** The figures of one player in one run; see `runFigures`. */
export interface LogRunPlayerTable extends RunPlayerColumns {
  run_id: number;
  player_id: number;
}

/** How far a file of a server's logs was read. */
export interface LogFileTable {
  server_id: string;
  path: string;
  /** The file's size and time when it was last read. */
  stamp: string;
  /** Offset in bytes up to which it was read and counted. */
  position: number;
  /** Whether that offset is inside a line that is too long to be read. */
  skipping: Flag;
  /** JSON of the digests that identify the file; NULL: it was read in one go. */
  marks: Json | null;
  lines: number;
  unread_lines: number;
  /** JSON array of the kinds of those lines: `{ kind, lines }`. */
  unread_kinds: Json;
  /** The time of the latest line, epoch milliseconds. */
  last_event_at: number | null;
  /** JSON of the reader's state in the current run; NULL: there is none. */
  checkpoint: Json | null;
  /** JSON array of the lines in it that count nowhere. */
  missing: Generated<Json>;
  /** The versions of `derivations` that have read it; files of older versions are read again. */
  counts_version: Generated<number>;
  identities_version: Generated<number>;
}

/** The counting state of a player in the current run of a followed file. */
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
  /** JSON of the last report. */
  report: Json | null;
  read_at: number | null;
  /** Why it cannot be read; NULL: it can. */
  error: string | null;
  error_at: number | null;
}
