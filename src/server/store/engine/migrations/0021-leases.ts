import type { TwoSided } from './statements.ts';

/** Which process does the work that only one may do at a time. SQLite's store has a single process. */
export const leases: TwoSided = {
  sqlite: [],
  postgres: [
    `CREATE TABLE lease (
      name text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      epoch bigint NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  ],
};
