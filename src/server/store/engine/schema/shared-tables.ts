/** Tables of PostgreSQL alone, for what several processes share. */
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

/** The requests of a key in its present window. */
interface RequestLimitTable {
  key: string;
  points: number;
  /** When the window ends, epoch milliseconds. */
  expire: number;
}
