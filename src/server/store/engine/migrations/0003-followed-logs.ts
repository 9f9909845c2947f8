import { migrationOf } from './statements.ts';

const statements = [
  `CREATE TABLE log_file (
    server_id TEXT NOT NULL REFERENCES server, path TEXT NOT NULL, stamp TEXT NOT NULL, position INTEGER NOT NULL,
    skipping INTEGER NOT NULL, marks TEXT, lines INTEGER NOT NULL, unread_lines INTEGER NOT NULL,
    examples TEXT NOT NULL, last_event_at INTEGER, checkpoint TEXT, PRIMARY KEY (server_id, path)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE log_file_player (
    server_id TEXT NOT NULL, path TEXT NOT NULL, game_id TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (server_id, path, game_id),
    FOREIGN KEY (server_id, path) REFERENCES log_file ON DELETE CASCADE ON UPDATE CASCADE
  ) STRICT, WITHOUT ROWID`,
  // A stamp consists of the file's size and its time.
  `INSERT INTO log_file
    SELECT server_id, path, stamp, CAST(stamp AS INTEGER), 0, NULL, 0, 0, '[]', NULL, NULL FROM source_file`,
  `DROP TABLE source_file`,
  `CREATE TABLE source_state (
    kind TEXT NOT NULL, owner_id TEXT NOT NULL, path TEXT NOT NULL, report TEXT, read_at INTEGER, error TEXT,
    error_at INTEGER, PRIMARY KEY (kind, owner_id, path)
  ) STRICT, WITHOUT ROWID`,
  // Digests are computed differently from here on; an empty one is not compared.
  `UPDATE log_run SET digest = ''`,
];

export const followedLogs = migrationOf(statements);
