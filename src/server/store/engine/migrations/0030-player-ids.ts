import type { MigrationSides } from './statements.ts';

/**
 * PostgreSQL gives new players their ids from here on. Before, a transaction took the highest id plus one, which would be
 * the same for two projects that write at once.
 */
export const playerIds = {
  postgres: [
    `SELECT setval(pg_get_serial_sequence('player', 'id'), coalesce(max(id), 0) + 1, false) FROM player`,
  ],
} satisfies MigrationSides;
