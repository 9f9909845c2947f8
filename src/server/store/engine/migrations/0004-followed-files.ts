import { migrationOf } from './statements.ts';

const statements = [
  `ALTER TABLE ban_list ADD COLUMN file_servers TEXT NOT NULL DEFAULT '{}'`,
  `CREATE TABLE ban_write (
    ban_id INTEGER NOT NULL REFERENCES ban, source TEXT NOT NULL, entry_key TEXT, reason TEXT, expires_at INTEGER,
    error TEXT, PRIMARY KEY (ban_id, source)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX ban_write_failed ON ban_write (ban_id, source) WHERE error IS NOT NULL`,
  `ALTER TABLE schedule ADD COLUMN file TEXT`,
  `CREATE TABLE restart_file (path TEXT PRIMARY KEY, restart_minutes INTEGER) STRICT, WITHOUT ROWID`,
  `ALTER TABLE server ADD COLUMN metric_sources TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE character ADD COLUMN earlier TEXT NOT NULL DEFAULT '[]'`,
  // Growth was summed for every figure, but the longest hit of several lives is their maximum.
  `UPDATE character SET total = json_set(total, '$.longest_survivor_hit', last ->> '$.longest_survivor_hit')
    WHERE last ->> '$.longest_survivor_hit' IS NOT NULL`,
];

export const followedFiles = migrationOf(statements);
