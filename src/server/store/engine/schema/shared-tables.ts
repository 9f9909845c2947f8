import type { Kysely } from 'kysely';
import type { Database, ReadDatabase } from '../connections.ts';

/** Tables of PostgreSQL alone, for what several processes share. */
interface SharedTables {
  project_revision: ProjectRevisionTable;
  live_list: LiveListTable;
}

/** The revision of a project; '' stands for what belongs to none. */
export interface ProjectRevisionTable {
  project_id: string;
  revision: number;
  /** The id of the transaction that raised it last. */
  transaction: number;
}

/** The latest player list of a game server. Epoch milliseconds. */
export interface LiveListTable {
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

export type SharedDatabase = Kysely<SharedTables>;

export function sharedTables(db: Database): SharedDatabase {
  return db as unknown as SharedDatabase;
}

export function readSharedTables(db: ReadDatabase['db']): Pick<SharedDatabase, 'selectFrom'> {
  return sharedTables(db as Database);
}
