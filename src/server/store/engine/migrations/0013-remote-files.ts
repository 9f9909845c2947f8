import { bothSides } from './statements.ts';

export const remoteFiles = bothSides([
  `ALTER TABLE server ADD COLUMN files_at TEXT`,
  `CREATE TABLE trusted_host (
    address TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    trusted_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
]);
