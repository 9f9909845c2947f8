import { bothSides } from './statements.ts';

/**
 * On which servers the name behind an entry of the list of forgotten players is hidden; '' stands for every server.
 * Earlier entries get that: the digests say neither where the players were seen nor which of them are names.
 */
export const forgottenNames = bothSides([
  `CREATE TABLE forgotten_name (
    hash TEXT NOT NULL, server_id TEXT NOT NULL, PRIMARY KEY (hash, server_id)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO forgotten_name SELECT hash, '' FROM forgotten`,
]);
