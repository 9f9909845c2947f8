import type { TwoSided } from './statements.ts';

/** The processes that are alive, and which leases each may hold. Before, a lease of its own showed that one is alive. */
export const processes: TwoSided = {
  sqlite: [],
  postgres: [
    `CREATE TABLE process (
      name text COLLATE "C" PRIMARY KEY,
      may_hold text NOT NULL,
      digest text NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
    `DELETE FROM lease WHERE name LIKE 'member-%'`,
  ],
};
