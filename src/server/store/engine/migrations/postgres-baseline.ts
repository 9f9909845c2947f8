import { inPostgres } from './statements.ts';

/**
 * The tables that SQLite's migrations up to 0020 have made, for PostgreSQL. Text is compared by its bytes, as in SQLite;
 * `lower` changes ASCII only then.
 */
const tables = [
  `CREATE TABLE project (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
    suspended INTEGER NOT NULL, support TEXT NOT NULL, active INTEGER NOT NULL,
    leaderboard_revision INTEGER NOT NULL DEFAULT 0, kills_kept_ms INTEGER NOT NULL DEFAULT ${90 * 86_400_000},
    kill_positions INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE server (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    game TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, query_port INTEGER, timezone TEXT NOT NULL,
    active INTEGER NOT NULL, metric_sources TEXT NOT NULL DEFAULT '{}', files_at TEXT
  )`,
  `CREATE INDEX server_by_project ON server (project_id, position)`,
  `CREATE TABLE added_server (
    server_id TEXT PRIMARY KEY REFERENCES server, guild_id TEXT NOT NULL, added_by TEXT NOT NULL,
    added_at INTEGER NOT NULL, removed_by TEXT, removed_at INTEGER
  )`,
  `CREATE TABLE server_state (
    server_id TEXT PRIMARY KEY REFERENCES server, status TEXT NOT NULL, map TEXT, players INTEGER,
    max_players INTEGER, checked_at INTEGER NOT NULL
  )`,
  `CREATE TABLE server_sample (
    server_id TEXT NOT NULL REFERENCES server, sampled_at INTEGER NOT NULL, players INTEGER, max_players INTEGER,
    PRIMARY KEY (server_id, sampled_at)
  )`,
  `CREATE TABLE schedule (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, position INTEGER NOT NULL, kind TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT, recurrence TEXT NOT NULL, interval_minutes INTEGER, time_of_day TEXT,
    weekdays TEXT NOT NULL, timezone TEXT NOT NULL, public INTEGER NOT NULL, active INTEGER NOT NULL, file TEXT
  )`,
  `CREATE INDEX schedule_by_server ON schedule (server_id, position)`,
  `CREATE TABLE restart_file (path TEXT PRIMARY KEY, restart_minutes INTEGER)`,
  `CREATE TABLE trusted_host (address TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, trusted_at INTEGER NOT NULL)`,
  `CREATE TABLE application (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, name TEXT NOT NULL, secret_hash TEXT NOT NULL,
    generation INTEGER NOT NULL, scopes TEXT NOT NULL, requests_per_minute INTEGER, created_at INTEGER NOT NULL,
    rotated_at INTEGER, revoked_at INTEGER, embedded INTEGER NOT NULL, last_used_at INTEGER
  )`,
  `CREATE TABLE player (
    id INTEGER PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, steam_id64 TEXT, battleye_guid TEXT,
    cftools_id TEXT, dayz_id TEXT, name TEXT, first_seen_at INTEGER, last_seen_at INTEGER,
    hidden INTEGER NOT NULL DEFAULT 0
  )`,
  ...['steam_id64', 'battleye_guid', 'cftools_id', 'dayz_id'].map(
    (column) =>
      `CREATE UNIQUE INDEX player_by_${column} ON player (project_id, ${column}) WHERE ${column} IS NOT NULL`,
  ),
  `CREATE INDEX player_by_name ON player (project_id, name COLLATE NOCASE) WHERE name IS NOT NULL`,
  `CREATE INDEX player_unlisted ON player (project_id) WHERE hidden <> 0`,
  `CREATE UNIQUE INDEX player_nobody ON player (project_id) WHERE hidden = 3`,
  `CREATE TABLE player_alias (
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, name TEXT NOT NULL,
    server_id TEXT NOT NULL DEFAULT '', first_seen_at INTEGER, last_seen_at INTEGER,
    PRIMARY KEY (player_id, name, server_id)
  )`,
  `CREATE INDEX player_alias_by_name ON player_alias (name COLLATE NOCASE)`,
  `CREATE TABLE player_stats (
    player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE, project_id TEXT NOT NULL REFERENCES project,
    player_kills INTEGER, deaths INTEGER, suicides INTEGER, zombie_kills INTEGER, animal_kills INTEGER,
    total_play_seconds INTEGER, longest_life_seconds INTEGER, longest_hit_meters REAL, longest_kill_meters REAL
  )`,
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
  `CREATE TABLE stale_statistics (player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE)`,
  `CREATE TABLE log_run (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server, header TEXT NOT NULL,
    started_at INTEGER NOT NULL, file_name TEXT NOT NULL, bytes INTEGER NOT NULL, digest TEXT NOT NULL,
    lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL, imported_at INTEGER NOT NULL,
    counts_version INTEGER NOT NULL DEFAULT 1, off_zone INTEGER NOT NULL DEFAULT 0, UNIQUE (server_id, header)
  )`,
  `CREATE INDEX log_run_off_zone ON log_run (server_id, header) WHERE off_zone = 1`,
  `CREATE TABLE log_run_player (
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER NOT NULL, deaths INTEGER NOT NULL, suicides INTEGER NOT NULL, play_seconds INTEGER NOT NULL,
    longest_hit_meters REAL, longest_kill_meters REAL, life_head_seconds INTEGER NOT NULL,
    life_best_seconds INTEGER NOT NULL, life_tail_seconds INTEGER NOT NULL, PRIMARY KEY (player_id, run_id)
  )`,
  `CREATE INDEX log_run_player_by_run ON log_run_player (run_id)`,
  `CREATE TABLE death (
    id INTEGER PRIMARY KEY AUTOINCREMENT, server_id TEXT NOT NULL REFERENCES server,
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, game_id TEXT NOT NULL, number INTEGER NOT NULL,
    at INTEGER NOT NULL, victim_id INTEGER NOT NULL REFERENCES player, killer_id INTEGER REFERENCES player,
    cause TEXT NOT NULL, weapon TEXT, body_part TEXT, ammo TEXT, meters REAL,
    victim_x REAL, victim_z REAL, killer_x REAL, killer_z REAL,
    stored_at INTEGER NOT NULL, live INTEGER NOT NULL, reworded INTEGER NOT NULL DEFAULT 0,
    UNIQUE (run_id, game_id, number)
  )`,
  `CREATE INDEX death_by_server ON death (server_id, at, killer_id, weapon)`,
  `CREATE INDEX death_by_victim ON death (victim_id, at)`,
  `CREATE INDEX death_by_killer ON death (killer_id, at) WHERE killer_id IS NOT NULL`,
  `CREATE INDEX death_with_place ON death (server_id) WHERE victim_x IS NOT NULL OR killer_x IS NOT NULL`,
  `CREATE INDEX death_reworded ON death (reworded) WHERE reworded > 0`,
  `CREATE TABLE feed_message (
    death_id INTEGER NOT NULL REFERENCES death ON DELETE CASCADE, feed TEXT NOT NULL, channel_id TEXT NOT NULL,
    message_id TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (death_id, feed)
  )`,
  `CREATE INDEX feed_message_by_message ON feed_message (message_id)`,
  `CREATE TABLE character (
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, last TEXT NOT NULL,
    total TEXT NOT NULL, sampled_at INTEGER NOT NULL, earlier TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (player_id, server_id)
  )`,
  `CREATE TABLE players_db (server_id TEXT PRIMARY KEY REFERENCES server, change_counter INTEGER NOT NULL)`,
  `CREATE TABLE imported_stats (
    project_id TEXT NOT NULL REFERENCES project, entry TEXT NOT NULL, player_id INTEGER NOT NULL REFERENCES player,
    player_kills INTEGER, deaths INTEGER, suicides INTEGER, zombie_kills INTEGER, animal_kills INTEGER,
    total_play_seconds INTEGER, longest_life_seconds INTEGER, longest_hit_meters REAL, longest_kill_meters REAL,
    PRIMARY KEY (project_id, entry)
  )`,
  `CREATE INDEX imported_stats_by_player ON imported_stats (player_id)`,
  `CREATE TABLE ban_list (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project, position INTEGER NOT NULL, name TEXT NOT NULL,
    description TEXT, public INTEGER NOT NULL, verification_status TEXT NOT NULL, server_ids TEXT NOT NULL,
    active INTEGER NOT NULL, file_servers TEXT NOT NULL DEFAULT '{}', served_bans INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE ban (
    id INTEGER PRIMARY KEY, list_id TEXT NOT NULL REFERENCES ban_list, source TEXT NOT NULL, source_key TEXT NOT NULL,
    player_id INTEGER REFERENCES player, player_name TEXT, category TEXT NOT NULL, reason TEXT, starts_at INTEGER,
    expires_at INTEGER, first_seen_at INTEGER NOT NULL, lifted_at INTEGER, state TEXT NOT NULL,
    served INTEGER NOT NULL DEFAULT 1, since INTEGER, UNIQUE (list_id, source, source_key)
  )`,
  `CREATE INDEX ban_newest ON ban (list_id, coalesce(since, starts_at, first_seen_at) DESC, id DESC)
    WHERE lifted_at IS NULL AND served = 1`,
  `CREATE INDEX ban_by_player ON ban (player_id, list_id)`,
  `CREATE INDEX ban_by_end ON ban (list_id, served, expires_at) WHERE lifted_at IS NULL AND expires_at IS NOT NULL`,
  `CREATE TABLE ban_write (
    ban_id INTEGER NOT NULL REFERENCES ban, source TEXT NOT NULL, entry_key TEXT, reason TEXT, expires_at INTEGER,
    error TEXT, PRIMARY KEY (ban_id, source)
  )`,
  `CREATE INDEX ban_write_failed ON ban_write (ban_id, source) WHERE error IS NOT NULL`,
  `CREATE TABLE log_file (
    server_id TEXT NOT NULL REFERENCES server, path TEXT NOT NULL, stamp TEXT NOT NULL, position INTEGER NOT NULL,
    skipping INTEGER NOT NULL, marks TEXT, lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL,
    examples TEXT NOT NULL, last_event_at INTEGER, checkpoint TEXT, counts_version INTEGER NOT NULL DEFAULT 1,
    identities_version INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (server_id, path)
  )`,
  `CREATE TABLE log_file_player (
    server_id TEXT NOT NULL, path TEXT NOT NULL, game_id TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (server_id, path, game_id),
    FOREIGN KEY (server_id, path) REFERENCES log_file ON DELETE CASCADE ON UPDATE CASCADE
  )`,
  `CREATE TABLE roster (
    server_id TEXT PRIMARY KEY REFERENCES server, header TEXT NOT NULL, complete INTEGER NOT NULL, listed_at INTEGER,
    logged_at INTEGER NOT NULL, as_of INTEGER NOT NULL, poll_every_ms INTEGER NOT NULL
  )`,
  `CREATE TABLE roster_player (
    server_id TEXT NOT NULL REFERENCES server, game_id TEXT NOT NULL, name TEXT NOT NULL, connected_at INTEGER,
    absent_at INTEGER, PRIMARY KEY (server_id, game_id)
  )`,
  `CREATE TABLE source_state (
    kind TEXT NOT NULL, owner_id TEXT NOT NULL, path TEXT NOT NULL, report TEXT, read_at INTEGER, error TEXT,
    error_at INTEGER, PRIMARY KEY (kind, owner_id, path)
  )`,
  `CREATE TABLE restored_server (server_id TEXT PRIMARY KEY REFERENCES server)`,
  `CREATE TABLE restored_value (key TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE forgotten (hash TEXT PRIMARY KEY)`,
  `CREATE TABLE rights (
    id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, list_revision INTEGER NOT NULL, key_check TEXT,
    wipe_wanted INTEGER NOT NULL
  )`,
  `INSERT INTO rights VALUES (1, 0, 0, NULL, 0)`,
];

const afterInsert = 'REFERENCING NEW TABLE AS new_rows';
const afterDelete = 'REFERENCING OLD TABLE AS old_rows';
const afterUpdate = 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows';

/** A trigger that runs once per statement, with all rows that the statement has changed. */
export function statementTrigger(
  name: string,
  { event, table, body }: { event: 'INSERT' | 'UPDATE' | 'DELETE'; table: string; body: string },
): string[] {
  const rows = { INSERT: afterInsert, UPDATE: afterUpdate, DELETE: afterDelete }[event];
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  ];
}

/** Adds the bans that a statement has made served to their lists' counts, and subtracts those that it has ended. */
const count = (changes: readonly string[]): string =>
  `UPDATE ban_list SET served_bans = served_bans + change.by FROM (
    SELECT list_id, sum(by) AS by FROM (${changes.join(' UNION ALL ')}) AS changes GROUP BY list_id
  ) AS change WHERE id = change.list_id AND change.by <> 0`;
const served = (rows: string, by: number): string =>
  `SELECT list_id, ${by} AS by FROM ${rows} WHERE lifted_at IS NULL AND served = 1`;

const raiseRevision = (projects: string): string =>
  `UPDATE project SET leaderboard_revision = leaderboard_revision + 1 WHERE id IN (${projects})`;

/** The columns of a player that leaderboards show. */
const shown = ['steam_id64', 'battleye_guid', 'cftools_id', 'name'];
const renamed = shown.map((column) => `old_rows.${column} IS DISTINCT FROM new_rows.${column}`).join(' OR ');

const triggers = [
  ...statementTrigger('ban_counted_in', {
    event: 'INSERT',
    table: 'ban',
    body: count([served('new_rows', 1)]),
  }),
  ...statementTrigger('ban_counted_anew', {
    event: 'UPDATE',
    table: 'ban',
    body: count([served('old_rows', -1), served('new_rows', 1)]),
  }),
  ...statementTrigger('ban_counted_out', {
    event: 'DELETE',
    table: 'ban',
    body: count([served('old_rows', -1)]),
  }),
  ...statementTrigger('player_stats_inserted', {
    event: 'INSERT',
    table: 'player_stats',
    body: raiseRevision('SELECT project_id FROM new_rows'),
  }),
  ...statementTrigger('player_stats_updated', {
    event: 'UPDATE',
    table: 'player_stats',
    body: raiseRevision('SELECT project_id FROM new_rows'),
  }),
  ...statementTrigger('player_stats_deleted', {
    event: 'DELETE',
    table: 'player_stats',
    body: raiseRevision('SELECT project_id FROM old_rows'),
  }),
  ...statementTrigger('player_changed', {
    event: 'UPDATE',
    table: 'player',
    body: raiseRevision(
      `SELECT new_rows.project_id FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id
        WHERE old_rows.hidden <> new_rows.hidden
        OR ((${renamed}) AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new_rows.id))`,
    ),
  }),
];

export const postgresBaseline: readonly string[] = [...tables.map(inPostgres), ...triggers];
