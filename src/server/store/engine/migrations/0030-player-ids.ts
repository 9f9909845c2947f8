import type { MigrationSides } from './statements.ts';

/** Ids of players were counted on by hand until now. The transactions of two projects would both find the same one. */
export const playerIds = {
  postgres: [
    `SELECT setval(pg_get_serial_sequence('player', 'id'), coalesce(max(id), 0) + 1, false) FROM player`,
  ],
} satisfies MigrationSides;
