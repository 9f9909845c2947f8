import type { TwoSided } from './statements.ts';

/**
 * The player list of each game server that was queried last, by which several processes query a server once for all.
 * Not logged: after a crash of the database, the next request queries the server again. SQLite's one process has the
 * lists in memory.
 */
export const liveLists: TwoSided = {
  sqlite: [],
  postgres: [
    `CREATE UNLOGGED TABLE live_list (
      server_id text COLLATE "C" PRIMARY KEY, target text COLLATE "C" NOT NULL, claim bigint NOT NULL,
      claimed_at bigint NOT NULL, answered_at bigint, answer text COLLATE "C"
    )`,
  ],
};
