/** Tables of PostgreSQL alone, for what several processes share. `cluster/` reads and writes them in SQL. */
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
  // The latest player list of each game server, as JSON. `claim` is raised by each query; without `answered_at` it is under way,
  // or its process has ended. Not logged: after a crash of the database, the next request queries the server again.
  `CREATE UNLOGGED TABLE live_list (
    server_id text COLLATE "C" PRIMARY KEY, target text COLLATE "C" NOT NULL, claim bigint NOT NULL,
    claimed_at bigint NOT NULL, answered_at bigint, answer text COLLATE "C"
  )`,
  // The requests of a key in its present window, which ends at "expire", as `rate-limiter-flexible` wants them. Not logged: a
  // crash of the database forgets them.
  `CREATE UNLOGGED TABLE request_limit (
    key text COLLATE "C" PRIMARY KEY, points integer NOT NULL, expire bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  // While each server has one run, PostgreSQL would find a run of a server by `log_run_by_start`, among all of its runs, and
  // keep doing so while an import adds thousands. So its planner reckons with about ten for each server.
  `ALTER TABLE log_run ALTER COLUMN server_id SET (n_distinct = -0.1)`,
];
