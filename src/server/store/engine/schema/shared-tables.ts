/** Tables of PostgreSQL alone, for what several processes share. */
export interface SharedTables {
  project_revision: ProjectRevisionTable;
  live_list: LiveListTable;
}

/** The revision of a project; '' stands for what belongs to none. */
interface ProjectRevisionTable {
  project_id: string;
  revision: number;
  /** The id of the transaction that raised it last. */
  transaction: number;
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
