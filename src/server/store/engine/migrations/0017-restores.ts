import { bothSides } from './statements.ts';

export const restores = bothSides([
  `CREATE TABLE restored_server (server_id TEXT PRIMARY KEY REFERENCES server) STRICT, WITHOUT ROWID`,
  `CREATE TABLE restored_value (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
]);
