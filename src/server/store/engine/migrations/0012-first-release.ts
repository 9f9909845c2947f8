import { bothSides, statementTrigger, type TwoSided } from './statements.ts';

const tables = bothSides([
  `CREATE TABLE project (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
    suspended INTEGER NOT NULL, support TEXT NOT NULL, active INTEGER NOT NULL,
    leaderboard_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE TABLE server (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    game TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, query_port INTEGER, timezone TEXT NOT NULL,
    active INTEGER NOT NULL, metric_sources TEXT NOT NULL DEFAULT '{}'
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
    weekdays TEXT NOT NULL, timezone TEXT NOT NULL, public INTEGER NOT NULL, active INTEGER NOT NULL, file TEXT
  ) STRICT`,
  `CREATE INDEX schedule_by_server ON schedule (server_id, position)`,
  `CREATE TABLE restart_file (path TEXT PRIMARY KEY, restart_minutes INTEGER) STRICT, WITHOUT ROWID`,
  `CREATE TABLE application (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, name TEXT NOT NULL, secret_hash TEXT NOT NULL,
    generation INTEGER NOT NULL, scopes TEXT NOT NULL, requests_per_minute INTEGER, created_at INTEGER NOT NULL,
    rotated_at INTEGER, revoked_at INTEGER, embedded INTEGER NOT NULL, last_used_at INTEGER
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
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, name TEXT NOT NULL,
    server_id TEXT NOT NULL DEFAULT '', first_seen_at INTEGER, last_seen_at INTEGER,
    PRIMARY KEY (player_id, name, server_id)
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
  `CREATE TABLE stale_statistics (player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE) STRICT`,
  `CREATE TABLE log_run (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, header TEXT NOT NULL,
    started_at INTEGER NOT NULL, file_name TEXT NOT NULL, bytes INTEGER NOT NULL, digest TEXT NOT NULL,
    lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL, imported_at INTEGER NOT NULL,
    counts_version INTEGER NOT NULL DEFAULT 1, off_zone INTEGER NOT NULL DEFAULT 0, UNIQUE (server_id, header)
  ) STRICT`,
  `CREATE INDEX log_run_off_zone ON log_run (server_id, header) WHERE off_zone = 1`,
  `CREATE TABLE log_run_player (
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER NOT NULL, deaths INTEGER NOT NULL, suicides INTEGER NOT NULL, play_seconds INTEGER NOT NULL,
    longest_hit_meters REAL, longest_kill_meters REAL, life_head_seconds INTEGER NOT NULL,
    life_best_seconds INTEGER NOT NULL, life_tail_seconds INTEGER NOT NULL, PRIMARY KEY (player_id, run_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX log_run_player_by_run ON log_run_player (run_id)`,
  `CREATE TABLE character (
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, last TEXT NOT NULL,
    total TEXT NOT NULL, sampled_at INTEGER NOT NULL, earlier TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (player_id, server_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE players_db (server_id TEXT PRIMARY KEY REFERENCES server, change_counter INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
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
  `CREATE INDEX ban_by_end ON ban (list_id, served, expires_at) WHERE lifted_at IS NULL AND expires_at IS NOT NULL`,
  `CREATE TABLE ban_write (
    ban_id INTEGER NOT NULL REFERENCES ban, source TEXT NOT NULL, entry_key TEXT, reason TEXT, expires_at INTEGER,
    error TEXT, PRIMARY KEY (ban_id, source)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX ban_write_failed ON ban_write (ban_id, source) WHERE error IS NOT NULL`,
  `CREATE TABLE log_file (
    server_id TEXT NOT NULL REFERENCES server, path TEXT NOT NULL, stamp TEXT NOT NULL, position INTEGER NOT NULL,
    skipping INTEGER NOT NULL, marks TEXT, lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL,
    examples TEXT NOT NULL, last_event_at INTEGER, checkpoint TEXT, counts_version INTEGER NOT NULL DEFAULT 1,
    identities_version INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (server_id, path)
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
]);

/** Of bans: a served one counts in its list. */
const served = (row: string): string => `(${row}.lifted_at IS NULL AND ${row}.served = 1)`;

/** Raises the revision of projects' leaderboards, by which caches know whether they are stale. */
export const raise = (projects: string): string =>
  `UPDATE project SET leaderboard_revision = leaderboard_revision + 1 WHERE id IN (${projects})`;

/** The columns of a player that leaderboards show. */
export const shownOfPlayers = ['steam_id64', 'battleye_guid', 'cftools_id', 'name'];
const renamed = shownOfPlayers.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');

/**
 * Triggers maintain a list's count of served bans, so that no writer can forget it: neither the count nor the next end
 * requires a scan of a list's bans.
 */
const sqliteTriggers = [
  `CREATE TRIGGER ban_counted_in AFTER INSERT ON ban WHEN ${served('new')} BEGIN
    UPDATE ban_list SET served_bans = served_bans + 1 WHERE id = new.list_id;
  END`,
  `CREATE TRIGGER ban_counted_anew AFTER UPDATE OF list_id, lifted_at, served ON ban
    WHEN ${served('old')} <> ${served('new')} OR old.list_id <> new.list_id BEGIN
    UPDATE ban_list SET served_bans = served_bans - ${served('old')} WHERE id = old.list_id;
    UPDATE ban_list SET served_bans = served_bans + ${served('new')} WHERE id = new.list_id;
  END`,
  `CREATE TRIGGER ban_counted_out AFTER DELETE ON ban WHEN ${served('old')} BEGIN
    UPDATE ban_list SET served_bans = served_bans - 1 WHERE id = old.list_id;
  END`,
  `CREATE TRIGGER player_stats_inserted AFTER INSERT ON player_stats BEGIN ${raise('new.project_id')}; END`,
  `CREATE TRIGGER player_stats_updated AFTER UPDATE ON player_stats BEGIN ${raise('new.project_id')}; END`,
  `CREATE TRIGGER player_stats_deleted AFTER DELETE ON player_stats BEGIN ${raise('old.project_id')}; END`,
  `CREATE TRIGGER player_renamed AFTER UPDATE OF ${shownOfPlayers.join(', ')} ON player
    WHEN (${renamed}) AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new.id)
    BEGIN ${raise('new.project_id')}; END`,
];

/** Adds the bans that a statement has made served to their lists' counts, and subtracts those that it has ended. */
const count = (...changes: readonly string[]): string =>
  `UPDATE ban_list SET served_bans = served_bans + change.by FROM (
    SELECT list_id, sum(by) AS by FROM (${changes.join(' UNION ALL ')}) AS changes GROUP BY list_id
  ) AS change WHERE id = change.list_id AND change.by <> 0`;
const each = (rows: string, by: number): string =>
  `SELECT list_id, ${by} AS by FROM ${rows} WHERE ${served(rows)}`;

/** The same, once per statement. Instead of `player_renamed` there is `player_changed`, with players' rights. */
const postgresTriggers = [
  ...statementTrigger('ban_counted_in', 'INSERT', 'ban', count(each('new_rows', 1))),
  ...statementTrigger('ban_counted_anew', 'UPDATE', 'ban', count(each('old_rows', -1), each('new_rows', 1))),
  ...statementTrigger('ban_counted_out', 'DELETE', 'ban', count(each('old_rows', -1))),
  ...(
    [
      ['inserted', 'INSERT', 'new_rows'],
      ['updated', 'UPDATE', 'new_rows'],
      ['deleted', 'DELETE', 'old_rows'],
    ] as const
  ).flatMap(([name, event, rows]) =>
    statementTrigger(`player_stats_${name}`, event, 'player_stats', raise(`SELECT project_id FROM ${rows}`)),
  ),
];

/** What 0.1.0, the first release, had. */
export const firstRelease: TwoSided = {
  sqlite: [...tables.sqlite, ...sqliteTriggers],
  postgres: [...tables.postgres, ...postgresTriggers],
};
