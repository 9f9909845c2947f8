import { migrationOf } from './statements.ts';

const statements = [
  `ALTER TABLE log_run ADD COLUMN off_zone INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX log_run_off_zone ON log_run (server_id, header) WHERE off_zone = 1`,
];

export const clocksOffZone = migrationOf(statements);
