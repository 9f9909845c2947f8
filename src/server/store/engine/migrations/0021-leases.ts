import type { TwoSided } from './statements.ts';

/** Who does the work that only one process may do at a time. A store of SQLite has one process. */
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
