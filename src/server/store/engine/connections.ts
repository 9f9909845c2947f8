import type { Kysely } from 'kysely';
import type { Schema } from './schema/schema.ts';
import type { StoreHealth } from './store-health.ts';
import type { HeldLease } from '../../../process/leases.ts';

export type Database = Kysely<Schema>;

/** What queries read from: a connection that can only read, any other, or a transaction. */
export type Reader = Pick<Database, 'selectFrom'>;

/** A connection that can only read: every write on it is refused. */
export interface ReadDatabase {
  db: Reader;
  close(): Promise<void>;
}

/** A connection that may write, with the schema migrated. */
export interface WriteDatabase {
  db: Database;
  /** Only of a store that several processes write, on PostgreSQL. */
  shared?: SharedStore;
  /** Removes what was deleted from the files, as far as the engine can. @returns false: others were reading all the time */
  wipe(): Promise<boolean>;
  close(): Promise<void>;
}

/** Other ways to a store on PostgreSQL, through the same connections. */
export interface SharedStore {
  /** For single statements, which are sent as they are: its connections never wait for other writers of a project. */
  unlocked: Database;
  /** For the start of a process, which stores the whole config: it waits minutes for other writers. */
  starting: Database;
  /** Its writes and transactions fail with `LeaseLost` once another process has taken one of the leases. */
  fenced(fences: readonly HeldLease[]): Database;
  /** Like `unlocked`, with connections of its own, so that renewing a lease does not wait for a free one. */
  leases: Database;
}

export interface WriterOptions {
  /**
   * How long a write waits for another connection's transaction before it fails. Default: 10 s, which is longer than any
   * transaction of an import.
   */
  busyTimeoutMs?: number;
  /** Records every failure of this connection. */
  health?: StoreHealth;
  /** On PostgreSQL: how many projects are written at once. Default: 4. */
  connections?: number;
  /** Of transactions on PostgreSQL; see `TransactionRules`. */
  limits?: { statementMs: number; idleMs: number };
}
