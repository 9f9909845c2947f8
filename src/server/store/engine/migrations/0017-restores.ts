import { migrationOf } from './statements.ts';

const statements = [
  `CREATE TABLE restored_server (server_id TEXT PRIMARY KEY REFERENCES server) STRICT, WITHOUT ROWID`,
  `CREATE TABLE restored_value (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
];

export const restores = migrationOf(statements);
