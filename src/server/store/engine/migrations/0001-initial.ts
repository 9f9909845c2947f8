import { migrationOf } from './statements.ts';

const statements = [
  `CREATE TABLE project (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
    suspended INTEGER NOT NULL, support TEXT NOT NULL, active INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE server (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    game TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, query_port INTEGER, timezone TEXT NOT NULL,
    active INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX server_by_project ON server (project_id, position)`,
  `CREATE TABLE server_state (
    server_id TEXT PRIMARY KEY REFERENCES server, status TEXT NOT NULL, map TEXT, players INTEGER,
    max_players INTEGER, checked_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE server_sample (
    server_id TEXT NOT NULL REFERENCES server, sampled_at INTEGER NOT NULL, players INTEGER, max_players INTEGER,
    PRIMARY KEY (server_id, sampled_at)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE schedule (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, position INTEGER NOT NULL, kind TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT, recurrence TEXT NOT NULL, interval_minutes INTEGER, time_of_day TEXT,
    weekdays TEXT NOT NULL, timezone TEXT NOT NULL, public INTEGER NOT NULL, active INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX schedule_by_server ON schedule (server_id, position)`,
  `CREATE TABLE application (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, name TEXT NOT NULL, secret_hash TEXT NOT NULL,
    generation INTEGER NOT NULL, scopes TEXT NOT NULL, requests_per_minute INTEGER, created_at INTEGER NOT NULL,
    rotated_at INTEGER, revoked_at INTEGER, embedded INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE player (
    id INTEGER PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, steam_id64 TEXT, battleye_guid TEXT,
    cftools_id TEXT, dayz_id TEXT, name TEXT, first_seen_at INTEGER, last_seen_at INTEGER
  ) STRICT`,
  ...['steam_id64', 'battleye_guid', 'cftools_id', 'dayz_id'].map(
    (column) =>
      `CREATE UNIQUE INDEX player_by_${column} ON player (project_id, ${column}) WHERE ${column} IS NOT NULL`,
  ),
  `CREATE TABLE player_alias (
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, name TEXT NOT NULL, first_seen_at INTEGER,
    last_seen_at INTEGER, PRIMARY KEY (player_id, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE player_stats (
    player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE, project_id TEXT NOT NULL REFERENCES project,
    player_kills INTEGER, deaths INTEGER, suicides INTEGER, zombie_kills INTEGER, animal_kills INTEGER,
    total_play_seconds INTEGER, longest_life_seconds INTEGER, longest_hit_meters REAL, longest_kill_meters REAL
  ) STRICT`,
  ...[
    'player_kills',
    'deaths',
    'suicides',
    'zombie_kills',
    'animal_kills',
    'total_play_seconds',
    'longest_life_seconds',
    'longest_hit_meters',
    'longest_kill_meters',
  ].map(
    (column) =>
      `CREATE INDEX leaderboard_${column} ON player_stats (project_id, ${column} DESC, player_id) WHERE ${column} > 0`,
  ),
  `CREATE TABLE log_run (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, header TEXT NOT NULL,
    started_at INTEGER NOT NULL, file_name TEXT NOT NULL, bytes INTEGER NOT NULL, digest TEXT NOT NULL,
    lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL, imported_at INTEGER NOT NULL, UNIQUE (server_id, header)
  ) STRICT`,
  `CREATE TABLE log_run_player (
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER NOT NULL, deaths INTEGER NOT NULL, suicides INTEGER NOT NULL, play_seconds INTEGER NOT NULL,
    longest_hit_meters REAL, longest_kill_meters REAL, life_head_seconds INTEGER NOT NULL,
    life_best_seconds INTEGER NOT NULL, life_tail_seconds INTEGER NOT NULL, PRIMARY KEY (player_id, run_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX log_run_player_by_run ON log_run_player (run_id)`,
  `CREATE TABLE character (
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, last TEXT NOT NULL,
    total TEXT NOT NULL, sampled_at INTEGER NOT NULL, PRIMARY KEY (player_id, server_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE imported_stats (
    project_id TEXT NOT NULL REFERENCES project, entry TEXT NOT NULL, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER, deaths INTEGER, suicides INTEGER, zombie_kills INTEGER, animal_kills INTEGER,
    total_play_seconds INTEGER, longest_life_seconds INTEGER, longest_hit_meters REAL, longest_kill_meters REAL,
    PRIMARY KEY (project_id, entry)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX imported_stats_by_player ON imported_stats (player_id)`,
  `CREATE TABLE ban_list (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    description TEXT, public INTEGER NOT NULL, verification_status TEXT NOT NULL, server_ids TEXT NOT NULL,
    active INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE ban (
    id INTEGER PRIMARY KEY, list_id TEXT NOT NULL REFERENCES ban_list, source TEXT NOT NULL, source_key TEXT NOT NULL,
    player_id INTEGER REFERENCES player, player_name TEXT, category TEXT NOT NULL, reason TEXT, starts_at INTEGER,
    expires_at INTEGER, first_seen_at INTEGER NOT NULL, lifted_at INTEGER, state TEXT NOT NULL,
    served INTEGER NOT NULL DEFAULT 1, since INTEGER,
    UNIQUE (list_id, source, source_key)
  ) STRICT`,
  // The order in which bans are served: newest first, an unknown start by when the ban was first seen.
  `CREATE INDEX ban_newest ON ban (list_id, coalesce(since, starts_at, first_seen_at) DESC, id DESC)
    WHERE lifted_at IS NULL AND served = 1`,
  `CREATE INDEX ban_by_player ON ban (player_id, list_id)`,
  `CREATE TABLE source_file (
    server_id TEXT NOT NULL REFERENCES server, path TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (server_id, path)
  ) STRICT, WITHOUT ROWID`,
];

export const initial = migrationOf(statements);
