import { projectRevisions, triggersOf } from './0022-project-revisions.ts';
import { requestLimits } from './0023-request-limits.ts';
import { smallValues } from './0029-small-values.ts';
import { playerIdsOnce } from './0037-player-ids-once.ts';
import { bothSides, type MigrationSides } from './statements.ts';

/** Which members of Discord are which players, and the gestures by which members prove it. */
const playerLinks = bothSides([
  `CREATE TABLE player_link (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, proven INTEGER NOT NULL,
    linked_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX player_link_by_player ON player_link (player_id)`,
  `CREATE TABLE link_challenge (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL, gestures TEXT,
    started_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, drawn INTEGER NOT NULL, drawn_since INTEGER NOT NULL,
    PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX link_challenge_by_gestures ON link_challenge (project_id, gestures)`,
  `CREATE TABLE link_progress (
    project_id TEXT NOT NULL, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, seen INTEGER NOT NULL,
    others INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id, player_id),
    FOREIGN KEY (project_id, member_id) REFERENCES link_challenge ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX link_progress_by_player ON link_progress (player_id)`,
]);

/**
 * The migrations of both engines, in the order of names. A released migration is never edited; add a new one instead, in a file
 * of its own where it is long.
 */
export const sincePostgres: Readonly<Record<string, MigrationSides>> = {
  // Which process does the work that only one may do at a time. SQLite's store has a single process.
  '0021-leases': {
    sqlite: [],
    postgres: [
      `CREATE TABLE lease (
        name text COLLATE "C" PRIMARY KEY,
        owner text COLLATE "C" NOT NULL,
        epoch bigint NOT NULL,
        expires_at timestamptz NOT NULL
      )`,
    ],
  },

  '0022-project-revisions': projectRevisions,
  '0023-request-limits': requestLimits,

  // The player list of each game server that was queried last, by which several processes query a server once for all. Not
  // logged: after a crash of the database, the next request queries the server again. SQLite's one process has them in memory.
  '0024-live-lists': {
    sqlite: [],
    postgres: [
      `CREATE UNLOGGED TABLE live_list (
        server_id text COLLATE "C" PRIMARY KEY, target text COLLATE "C" NOT NULL, claim bigint NOT NULL,
        claimed_at bigint NOT NULL, answered_at bigint, answer text COLLATE "C"
      )`,
    ],
  },

  // The lines of a log that are not counted, because the part with the header of their run is missing (`MissingLines`).
  '0025-missing-lines': bothSides([`ALTER TABLE log_file ADD COLUMN missing TEXT NOT NULL DEFAULT '[]'`]),

  // The processes that are alive, and which leases each may hold. Before, a lease of its own showed that one is alive.
  '0026-processes': {
    sqlite: [],
    postgres: [
      `CREATE TABLE process (
        name text COLLATE "C" PRIMARY KEY,
        may_hold text NOT NULL,
        digest text NOT NULL,
        expires_at timestamptz NOT NULL
      )`,
      `DELETE FROM lease WHERE name LIKE 'member-%'`,
    ],
  },

  // On which servers the name behind an entry of the list of forgotten players is hidden; '' stands for every server. Earlier
  // entries get that: the digests say neither where the players were seen nor which of them are names.
  '0027-forgotten-names': bothSides([
    `CREATE TABLE forgotten_name (
      hash TEXT NOT NULL, server_id TEXT NOT NULL, PRIMARY KEY (hash, server_id)
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO forgotten_name SELECT hash, '' FROM forgotten`,
  ]),

  // The keys of the list of forgotten players, each as 64 hex digits. Before, the key lay outside the store. That of an existing
  // list moves here at the first start (`takeOverKey`); `rights.key_check` tells which one it is.
  '0028-forgotten-key': bothSides([
    `CREATE TABLE forgotten_key (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT`,
  ]),

  '0029-small-values': smallValues,

  // PostgreSQL gives new players their ids from here on. Before, a transaction took the highest id plus one, which would be the
  // same for two projects that write at once.
  '0030-player-ids': {
    postgres: [
      `SELECT setval(pg_get_serial_sequence('player', 'id'), coalesce(max(id), 0) + 1, false) FROM player`,
    ],
  },

  // The runs of a period, for what is counted by week or month.
  '0031-runs-by-start': bothSides([`CREATE INDEX log_run_by_start ON log_run (server_id, started_at)`]),

  // Few of a server's deaths, among which its record is; see `longShotMeters`.
  '0032-long-shots': bothSides([
    `CREATE INDEX death_long_shot ON death (server_id, meters DESC, at) WHERE meters >= 300`,
  ]),

  // Roles and boards follow links.
  '0033-player-links': {
    sqlite: playerLinks.sqlite,
    postgres: [
      ...playerLinks.postgres,
      ...triggersOf(['player_link', { projects: 'SELECT project_id FROM changed' }]),
    ],
  },

  // Who came on and left, from the logs that are followed, and whom moderators watch.
  '0034-watch-list': bothSides([
    // No id is given twice, so that who reads on from the last id gets each stay once.
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
    // Consoles ban names.
    `CREATE INDEX ban_by_name ON ban (player_name COLLATE NOCASE) WHERE player_id IS NULL`,
  ]),

  // How many deaths there were in each square of a server's map, week by week, once they are no longer kept one by one.
  '0035-death-cells': bothSides([
    `CREATE TABLE death_cell (
      server_id TEXT NOT NULL REFERENCES server, week INTEGER NOT NULL, kind TEXT NOT NULL, x INTEGER NOT NULL,
      z INTEGER NOT NULL, events INTEGER NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (server_id, week, kind, x, z)
    ) STRICT, WITHOUT ROWID`,
  ]),

  // What the bot knows of the roles of members, so that it takes only what it gave.
  '0036-member-roles': bothSides([
    `CREATE TABLE member_role (
      guild_id TEXT NOT NULL,
      role_id TEXT NOT NULL,
      member_id TEXT NOT NULL,
      state TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (guild_id, role_id, member_id)
    ) STRICT, WITHOUT ROWID`,
  ]),

  '0037-player-ids-once': playerIdsOnce,

  // While each server has one run, PostgreSQL would find a run of a server by `log_run_by_start`, among all of its runs, and
  // keep doing so while an import adds thousands. Its planner is told that a server has about ten.
  '0038-runs-of-a-server': {
    sqlite: [],
    postgres: [`ALTER TABLE log_run ALTER COLUMN server_id SET (n_distinct = -0.1)`],
  },
};
