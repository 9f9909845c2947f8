import { migrationOf } from './statements.ts';

const statements = [
  `CREATE TABLE added_server (
    server_id TEXT PRIMARY KEY REFERENCES server,
    guild_id TEXT NOT NULL,
    added_by TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    removed_by TEXT,
    removed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
];

export const addedServers = migrationOf(statements);
