import { firstRelease } from './0012-first-release.ts';
import { playerRights } from './0018-player-rights.ts';
import { bothSides, type TwoSided } from './statements.ts';

/** PostgreSQL's stores begin with all of these, as one migration. */
export const untilPostgres: Readonly<Record<string, TwoSided>> = {
  '0012-sightings-by-server': firstRelease,

  '0013-remote-files': bothSides([
    `ALTER TABLE server ADD COLUMN files_at TEXT`,
    `CREATE TABLE trusted_host (
      address TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      trusted_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ]),

  '0014-deaths': bothSides([
    // AUTOINCREMENT gives no id twice, so that who reads on from the last id gets each death once.
    `CREATE TABLE death (
      id INTEGER PRIMARY KEY AUTOINCREMENT, server_id TEXT NOT NULL REFERENCES server,
      run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, game_id TEXT NOT NULL, number INTEGER NOT NULL,
      at INTEGER NOT NULL, victim_id INTEGER NOT NULL REFERENCES player, killer_id INTEGER REFERENCES player,
      cause TEXT NOT NULL, weapon TEXT, body_part TEXT, ammo TEXT, meters REAL,
      victim_x REAL, victim_z REAL, killer_x REAL, killer_z REAL,
      stored_at INTEGER NOT NULL, live INTEGER NOT NULL, UNIQUE (run_id, game_id, number)
    ) STRICT`,
    // Has every column that boards of kills count, so that they read nothing but the index.
    `CREATE INDEX death_by_server ON death (server_id, at, killer_id, weapon)`,
    `CREATE INDEX death_by_victim ON death (victim_id, at)`,
    `CREATE INDEX death_by_killer ON death (killer_id, at) WHERE killer_id IS NOT NULL`,
    `CREATE INDEX death_with_place ON death (server_id) WHERE victim_x IS NOT NULL OR killer_x IS NOT NULL`,
    `ALTER TABLE project ADD COLUMN kills_kept_ms INTEGER NOT NULL DEFAULT ${90 * 86_400_000}`,
    `ALTER TABLE project ADD COLUMN kill_positions INTEGER NOT NULL DEFAULT 0`,
  ]),

  '0015-rosters': bothSides([
    `CREATE TABLE roster (
      server_id TEXT PRIMARY KEY REFERENCES server, header TEXT NOT NULL, complete INTEGER NOT NULL, listed_at INTEGER,
      logged_at INTEGER NOT NULL, as_of INTEGER NOT NULL, poll_every_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE roster_player (
      server_id TEXT NOT NULL REFERENCES server, game_id TEXT NOT NULL, name TEXT NOT NULL, connected_at INTEGER,
      absent_at INTEGER, PRIMARY KEY (server_id, game_id)
    ) STRICT, WITHOUT ROWID`,
  ]),

  // Players of consoles have a name and no identifier that the service knows.
  '0016-player-names': bothSides([
    `CREATE INDEX player_by_name ON player (project_id, name COLLATE NOCASE) WHERE name IS NOT NULL`,
  ]),

  '0017-restores': bothSides([
    `CREATE TABLE restored_server (server_id TEXT PRIMARY KEY REFERENCES server) STRICT, WITHOUT ROWID`,
    `CREATE TABLE restored_value (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  ]),

  '0018-player-rights': playerRights,

  '0019-added-servers': bothSides([
    `CREATE TABLE added_server (
      server_id TEXT PRIMARY KEY REFERENCES server,
      guild_id TEXT NOT NULL,
      added_by TEXT NOT NULL,
      added_at INTEGER NOT NULL,
      removed_by TEXT,
      removed_at INTEGER
    ) STRICT, WITHOUT ROWID`,
  ]),

  // Finds players by any of their names.
  '0020-player-alias-names': bothSides([
    `CREATE INDEX player_alias_by_name ON player_alias (name COLLATE NOCASE)`,
  ]),
};
