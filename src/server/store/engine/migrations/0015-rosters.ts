import { bothSides } from './statements.ts';

export const rosters = bothSides([
  `CREATE TABLE roster (
    server_id TEXT PRIMARY KEY REFERENCES server, header TEXT NOT NULL, complete INTEGER NOT NULL, listed_at INTEGER,
    logged_at INTEGER NOT NULL, as_of INTEGER NOT NULL, poll_every_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE roster_player (
    server_id TEXT NOT NULL REFERENCES server, game_id TEXT NOT NULL, name TEXT NOT NULL, connected_at INTEGER,
    absent_at INTEGER, PRIMARY KEY (server_id, game_id)
  ) STRICT, WITHOUT ROWID`,
]);
