import { migrationOf } from './statements.ts';

const statements = [
  `CREATE TABLE players_db (
    server_id TEXT PRIMARY KEY REFERENCES server, change_counter INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const changeCounters = migrationOf(statements);
