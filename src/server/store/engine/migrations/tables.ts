/**
 * The tables and indexes of the store, written for SQLite; `inPostgres` translates them. Moments are epoch milliseconds (UTC),
 * flags 0 or 1, unknown is NULL. `schema/` has their types.
 *
 * AUTOINCREMENT gives no id twice: buttons, alerts and feeds name rows by id, also after the row is gone.
 */

const config = [
  `CREATE TABLE project (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
    suspended INTEGER NOT NULL, support TEXT NOT NULL, active INTEGER NOT NULL,
    kills_kept_ms INTEGER NOT NULL DEFAULT ${90 * 86_400_000},
    kill_positions INTEGER NOT NULL DEFAULT 0, hide_banned INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE TABLE server (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    game TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, query_port INTEGER, timezone TEXT NOT NULL,
    active INTEGER NOT NULL, metric_sources TEXT NOT NULL DEFAULT '{}', files_at TEXT
  ) STRICT`,
  `CREATE INDEX server_by_project ON server (project_id, position)`,
  `CREATE TABLE schedule (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, position INTEGER NOT NULL, kind TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT, recurrence TEXT NOT NULL, interval_minutes INTEGER, time_of_day TEXT,
    weekdays TEXT NOT NULL, timezone TEXT NOT NULL, public INTEGER NOT NULL, active INTEGER NOT NULL, file TEXT
  ) STRICT`,
  `CREATE INDEX schedule_by_server ON schedule (server_id, position)`,
  `CREATE TABLE restart_file (path TEXT PRIMARY KEY, restart_minutes INTEGER) STRICT, WITHOUT ROWID`,
  `CREATE TABLE application (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, name TEXT NOT NULL, secret_hash TEXT NOT NULL,
    generation INTEGER NOT NULL, scopes TEXT NOT NULL, requests_per_minute INTEGER, created_at INTEGER NOT NULL,
    rotated_at INTEGER, revoked_at INTEGER, embedded INTEGER NOT NULL, last_used_at INTEGER
  ) STRICT`,
];

/** What queries of the game servers found. */
const live = [
  `CREATE TABLE server_state (
    server_id TEXT PRIMARY KEY REFERENCES server, status TEXT NOT NULL, map TEXT, players INTEGER,
    max_players INTEGER, checked_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE server_sample (
    server_id TEXT NOT NULL REFERENCES server, sampled_at INTEGER NOT NULL, players INTEGER, max_players INTEGER,
    PRIMARY KEY (server_id, sampled_at)
  ) STRICT, WITHOUT ROWID`,
];

const identifiers = ['steam_id64', 'battleye_guid', 'cftools_id', 'dayz_id'];
const figures = [
  ...['player_kills', 'deaths', 'suicides', 'zombie_kills', 'animal_kills'].map((name) => [name, 'INTEGER']),
  ...['total_play_seconds', 'longest_life_seconds'].map((name) => [name, 'INTEGER']),
  ...['longest_hit_meters', 'longest_kill_meters'].map((name) => [name, 'REAL']),
];
const figureColumns = figures.map((column) => column.join(' ')).join(', ');

const players = [
  `CREATE TABLE player (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project, steam_id64 TEXT,
    battleye_guid TEXT, cftools_id TEXT, dayz_id TEXT, name TEXT, first_seen_at INTEGER, last_seen_at INTEGER,
    hidden INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  ...identifiers.map(
    (column) =>
      `CREATE UNIQUE INDEX player_by_${column} ON player (project_id, ${column}) WHERE ${column} IS NOT NULL`,
  ),
  // Players of consoles have a name and no identifier that the service knows.
  `CREATE INDEX player_by_name ON player (project_id, name COLLATE NOCASE) WHERE name IS NOT NULL`,
  `CREATE INDEX player_unlisted ON player (project_id) WHERE hidden <> 0`,
  `CREATE UNIQUE INDEX player_nobody ON player (project_id) WHERE hidden = 3`,
  `CREATE TABLE player_alias (
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, name TEXT NOT NULL,
    server_id TEXT NOT NULL DEFAULT '', first_seen_at INTEGER, last_seen_at INTEGER,
    PRIMARY KEY (player_id, name, server_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX player_alias_by_name ON player_alias (name COLLATE NOCASE)`,
  `CREATE TABLE player_stats (
    player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE, project_id TEXT NOT NULL REFERENCES project,
    ${figureColumns}
  ) STRICT`,
  ...figures.map(
    ([column]) =>
      `CREATE INDEX leaderboard_${column} ON player_stats (project_id, ${column} DESC, player_id) WHERE ${column} > 0`,
  ),
  `CREATE TABLE stale_statistics (player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE) STRICT`,
  `CREATE TABLE imported_stats (
    project_id TEXT NOT NULL REFERENCES project, entry TEXT NOT NULL, player_id INTEGER NOT NULL REFERENCES player,
    ${figureColumns}, PRIMARY KEY (project_id, entry)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX imported_stats_by_player ON imported_stats (player_id)`,
  // From players.db.
  `CREATE TABLE character (
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, last TEXT NOT NULL,
    total TEXT NOT NULL, sampled_at INTEGER NOT NULL,
    PRIMARY KEY (player_id, server_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE players_db (
    server_id TEXT PRIMARY KEY REFERENCES server, read_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

const logs = [
  `CREATE TABLE log_run (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, header TEXT NOT NULL,
    started_at INTEGER NOT NULL, file_name TEXT NOT NULL, bytes INTEGER NOT NULL, digest TEXT NOT NULL,
    lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL, imported_at INTEGER NOT NULL,
    counts_version INTEGER NOT NULL DEFAULT 1, off_zone INTEGER NOT NULL DEFAULT 0, UNIQUE (server_id, header)
  ) STRICT`,
  `CREATE INDEX log_run_off_zone ON log_run (server_id, header) WHERE off_zone = 1`,
  `CREATE INDEX log_run_by_start ON log_run (server_id, started_at)`,
  `CREATE TABLE log_run_player (
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER NOT NULL, deaths INTEGER NOT NULL, suicides INTEGER NOT NULL, play_seconds INTEGER NOT NULL,
    longest_hit_meters REAL, longest_kill_meters REAL, life_head_seconds INTEGER NOT NULL,
    life_best_seconds INTEGER NOT NULL, life_tail_seconds INTEGER NOT NULL, PRIMARY KEY (player_id, run_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX log_run_player_by_run ON log_run_player (run_id)`,
  // The logs that are followed; `missing`: lines that are not counted, because the part with the header of their run is missing.
  `CREATE TABLE log_file (
    server_id TEXT NOT NULL REFERENCES server, path TEXT NOT NULL, stamp TEXT NOT NULL, position INTEGER NOT NULL,
    skipping INTEGER NOT NULL, marks TEXT, lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL,
    unread_kinds TEXT NOT NULL, last_event_at INTEGER, checkpoint TEXT, counts_version INTEGER NOT NULL DEFAULT 1,
    identities_version INTEGER NOT NULL DEFAULT 1, missing TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (server_id, path)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE log_file_player (
    server_id TEXT NOT NULL, path TEXT NOT NULL, game_id TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (server_id, path, game_id),
    FOREIGN KEY (server_id, path) REFERENCES log_file ON DELETE CASCADE ON UPDATE CASCADE
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE source_state (
    kind TEXT NOT NULL, owner_id TEXT NOT NULL, path TEXT NOT NULL, report TEXT, read_at INTEGER, error TEXT,
    error_at INTEGER, PRIMARY KEY (kind, owner_id, path)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE trusted_host (
    address TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, trusted_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE restored_server (server_id TEXT PRIMARY KEY REFERENCES server) STRICT, WITHOUT ROWID`,
];

const deaths = [
  `CREATE TABLE death (
    id INTEGER PRIMARY KEY AUTOINCREMENT, server_id TEXT NOT NULL REFERENCES server,
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, game_id TEXT NOT NULL, number INTEGER NOT NULL,
    at INTEGER NOT NULL, victim_id INTEGER NOT NULL REFERENCES player, killer_id INTEGER REFERENCES player,
    cause TEXT NOT NULL, weapon TEXT, body_part TEXT, ammo TEXT, meters REAL,
    victim_x REAL, victim_z REAL, killer_x REAL, killer_z REAL, stored_at INTEGER NOT NULL, live INTEGER NOT NULL,
    UNIQUE (run_id, game_id, number)
  ) STRICT`,
  // Has every column that boards of kills count, so that they read nothing but the index.
  `CREATE INDEX death_by_server ON death (server_id, at, killer_id, weapon)`,
  // For kill feeds, which read what is stored after a death.
  `CREATE INDEX death_in_order ON death (server_id, id)`,
  `CREATE INDEX death_by_victim ON death (victim_id, at)`,
  `CREATE INDEX death_by_killer ON death (killer_id, at) WHERE killer_id IS NOT NULL`,
  `CREATE INDEX death_with_place ON death (server_id) WHERE victim_x IS NOT NULL OR killer_x IS NOT NULL`,
  // Few of a server's deaths, among which its record is; see `longShotMeters`.
  `CREATE INDEX death_long_shot ON death (server_id, meters DESC, at) WHERE meters >= 300`,
  // How many deaths there were in each square of a map, week by week, once they are no longer kept one by one.
  `CREATE TABLE death_cell (
    server_id TEXT NOT NULL REFERENCES server, week INTEGER NOT NULL, kind TEXT NOT NULL, x INTEGER NOT NULL,
    z INTEGER NOT NULL, events INTEGER NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (server_id, week, kind, x, z)
  ) STRICT, WITHOUT ROWID`,
  // A forgotten player is no longer in `player`.
  `CREATE TABLE naming_message (
    message_id TEXT NOT NULL, player_id INTEGER NOT NULL, channel_id TEXT NOT NULL, for_moderators INTEGER NOT NULL,
    outdated INTEGER NOT NULL, PRIMARY KEY (message_id, player_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX naming_message_by_player ON naming_message (player_id)`,
  `CREATE INDEX naming_message_outdated ON naming_message (message_id) WHERE outdated = 1`,
];

/** Who is on a server by its log, who came and left, and whom moderators watch. */
const presence = [
  `CREATE TABLE roster (
    server_id TEXT PRIMARY KEY REFERENCES server, header TEXT NOT NULL, complete INTEGER NOT NULL, listed_at INTEGER,
    logged_at INTEGER NOT NULL, as_of INTEGER NOT NULL, poll_every_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE roster_player (
    server_id TEXT NOT NULL REFERENCES server, game_id TEXT NOT NULL, name TEXT NOT NULL, connected_at INTEGER,
    absent_at INTEGER, PRIMARY KEY (server_id, game_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE stay (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project,
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, game_id TEXT NOT NULL,
    name TEXT NOT NULL, at INTEGER NOT NULL, left_at INTEGER, continued INTEGER NOT NULL, just_now INTEGER NOT NULL,
    stored_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX stay_by_project ON stay (project_id, id)`,
  `CREATE INDEX stay_by_game_id ON stay (server_id, game_id)`,
  `CREATE INDEX stay_by_player ON stay (player_id)`,
  `CREATE INDEX stay_open ON stay (server_id) WHERE left_at IS NULL`,
  `CREATE TABLE watch_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project,
    player_id INTEGER REFERENCES player, identifier TEXT, name TEXT, reason TEXT, expires_at INTEGER,
    added_at INTEGER NOT NULL, guild_id TEXT NOT NULL, added_by TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX watch_entry_by_project ON watch_entry (project_id)`,
  `CREATE INDEX watch_entry_by_player ON watch_entry (player_id) WHERE player_id IS NOT NULL`,
];

const bans = [
  `CREATE TABLE ban_list (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    description TEXT, public INTEGER NOT NULL, verification_status TEXT NOT NULL, server_ids TEXT NOT NULL,
    active INTEGER NOT NULL, file_servers TEXT NOT NULL DEFAULT '{}', served_bans INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE TABLE ban (
    id INTEGER PRIMARY KEY, list_id TEXT NOT NULL REFERENCES ban_list, source TEXT NOT NULL, source_key TEXT NOT NULL,
    player_id INTEGER REFERENCES player, player_name TEXT, category TEXT NOT NULL, reason TEXT, starts_at INTEGER,
    expires_at INTEGER, first_seen_at INTEGER NOT NULL, lifted_at INTEGER, state TEXT NOT NULL,
    served INTEGER NOT NULL DEFAULT 1, since INTEGER, UNIQUE (list_id, source, source_key)
  ) STRICT`,
  // The order in which bans are served: newest first, an unknown start by when the ban was first seen.
  `CREATE INDEX ban_newest ON ban (list_id, coalesce(since, starts_at, first_seen_at) DESC, id DESC)
    WHERE lifted_at IS NULL AND served = 1`,
  `CREATE INDEX ban_by_player ON ban (player_id, list_id)`,
  // Consoles ban names.
  `CREATE INDEX ban_by_name ON ban (player_name COLLATE NOCASE) WHERE player_id IS NULL`,
  `CREATE INDEX ban_by_end ON ban (list_id, served, expires_at) WHERE lifted_at IS NULL AND expires_at IS NOT NULL`,
];

/** Which members of Discord are which players, and which roles the bot has given them. */
const members = [
  `CREATE TABLE player_link (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, proven INTEGER NOT NULL,
    linked_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX player_link_by_player ON player_link (player_id)`,
  `CREATE TABLE link_challenge (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL, guild_id TEXT NOT NULL, gestures TEXT,
    started_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, drawn INTEGER NOT NULL,
    PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE link_progress (
    project_id TEXT NOT NULL, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, seen INTEGER NOT NULL,
    first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id, player_id),
    FOREIGN KEY (project_id, member_id) REFERENCES link_challenge ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX link_progress_by_player ON link_progress (player_id)`,
  `CREATE TABLE member_role (
    guild_id TEXT NOT NULL, role_id TEXT NOT NULL, member_id TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (guild_id, role_id, member_id)
  ) STRICT, WITHOUT ROWID`,
];

/** Who is hidden or forgotten; see `repositories/rights/`. */
const rights = [
  `CREATE TABLE forgotten (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE TABLE forgotten_name (
    hash TEXT NOT NULL, server_id TEXT NOT NULL, PRIMARY KEY (hash, server_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE forgotten_key (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT`,
  `CREATE TABLE rights (
    id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, list_revision INTEGER NOT NULL,
    wipe_wanted INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO rights VALUES (1, 0, 0, 0)`,
];

/** Keyv's values: tokens, and what the bot keeps. */
const values = [`CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`];

export const tables = [
  ...config,
  ...live,
  ...players,
  ...logs,
  ...deaths,
  ...presence,
  ...bans,
  ...members,
  ...rights,
  ...values,
] as const;
