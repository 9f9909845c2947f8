import { bothSides } from './statements.ts';

/** The runs of a period, for what is counted by week or month. */
export const runsByStart = bothSides([`CREATE INDEX log_run_by_start ON log_run (server_id, started_at)`]);
