import { bothSides } from './statements.ts';

export const addedServers = bothSides([
  `CREATE TABLE added_server (
    server_id TEXT PRIMARY KEY REFERENCES server,
    guild_id TEXT NOT NULL,
    added_by TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    removed_by TEXT,
    removed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
]);
