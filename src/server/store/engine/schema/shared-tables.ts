/** Tables of PostgreSQL alone, for what several processes share. Those of leases are used in SQL only (`lease-table.ts`). */
export interface SharedTables {
  live_list: LiveListTable;
  request_limit: RequestLimitTable;
}

/** The latest player list of a game server. Epoch milliseconds. */
interface LiveListTable {
  server_id: string;
  /** What was queried; a changed config queries another. */
  target: string;
  /** Raised by each query. */
  claim: number;
  claimed_at: number;
  /** NULL: the query is under way, or its process has ended. */
  answered_at: number | null;
  /** JSON. */
  answer: string | null;
}

/** The requests of a key in its present window, as `rate-limiter-flexible` wants them. */
interface RequestLimitTable {
  key: string;
  points: number;
  /** When the window ends, epoch milliseconds. */
  expire: number;
}

export const sharedTables = [
  // Which process does the work that only one may do at a time.
  `CREATE TABLE lease (
    name text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, epoch bigint NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  // The processes that are alive, each with the sets of leases that it wants, as digests of their names.
  `CREATE TABLE lease_candidate (
    owner text COLLATE "C" NOT NULL, wanted text COLLATE "C" NOT NULL, expires_at timestamptz NOT NULL,
    PRIMARY KEY (owner, wanted)
  )`,
  // Not logged: after a crash of the database, the next request queries the server again.
  `CREATE UNLOGGED TABLE live_list (
    server_id text COLLATE "C" PRIMARY KEY, target text COLLATE "C" NOT NULL, claim bigint NOT NULL,
    claimed_at bigint NOT NULL, answered_at bigint, answer text COLLATE "C"
  )`,
  // Not logged: a crash of the database forgets them.
  `CREATE UNLOGGED TABLE request_limit (
    key text COLLATE "C" PRIMARY KEY, points integer NOT NULL, expire bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  // While each server has one run, PostgreSQL would find a run of a server by `log_run_by_start`, among all of its runs, and
  // keep doing so while an import adds thousands. Its planner is told that a server has about ten.
  `ALTER TABLE log_run ALTER COLUMN server_id SET (n_distinct = -0.1)`,
];
