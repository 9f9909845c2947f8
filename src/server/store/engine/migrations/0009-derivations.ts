import { migrationOf } from './statements.ts';

const statements = [
  // Everything stored so far was derived by the first versions.
  `ALTER TABLE log_file ADD COLUMN counts_version INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE log_file ADD COLUMN identities_version INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE log_run ADD COLUMN counts_version INTEGER NOT NULL DEFAULT 1`,
];

export const derivationVersions = migrationOf(statements);
