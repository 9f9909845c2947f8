import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { StoreHealth } from './health.ts';
import type { Fence } from './postgres/transactions.ts';

export type Database = Kysely<Schema>;

/** A connection that can only read: every write on it is refused. */
export interface ReadDatabase {
  db: Pick<Database, 'selectFrom'>;
  /**
   * A number that changes whenever another connection, of this process or another, has committed something that
   * concerns the project; without one, anything. In SQLite a commit concerns all projects (`PRAGMA data_version`).
   * PostgreSQL's is known within a second of the commit; while the store is away, that of a project is NaN, which equals
   * nothing.
   */
  dataVersion(projectId?: string): number;
  /** Only of a store that several processes write, on PostgreSQL. */
  revisions?: Revisions;
  close(): Promise<void>;
}

/** The revisions of projects, as far as this process knows them. */
export interface Revisions {
  /** That of a project; without one, a number that changes with any. */
  version(projectId?: string): number;
  /** Takes over a revision that another statement has read. */
  learn(projectId: string, revision: number): void;
  /** Reads what has changed. */
  refresh(): Promise<void>;
  /** Since the last answer, in milliseconds. */
  ageMs(): number;
  stop(): Promise<void>;
}

/** A connection that may write, with the schema migrated. */
export interface WriteDatabase {
  db: Database;
  /** Only of a store that several processes write, on PostgreSQL. */
  shared?: SharedStore;
  /** Whether the store can be written. After a failed write, this tries a small one. */
  canWrite(): boolean;
  /** Removes what was deleted from the files, as far as the engine can. @returns false: others were reading all the time */
  wipe(): Promise<boolean>;
  close(): Promise<void>;
}

/** Other ways to a store on PostgreSQL, through the same connections. */
export interface SharedStore {
  /** Its statements and transactions do not wait for other writers: for what has row locks of its own. */
  unlocked: Database;
  /** Waits for other writers for minutes: each process that starts stores the whole config. */
  starting: Database;
  /** For the one statement that most requests wait for. */
  texts: TextStatements;
  /** Its writes and transactions fail with `LeaseLost` once another process has taken one of the leases. */
  fenced(fences: readonly Fence[]): Database;
  /** Like `unlocked`, with connections of its own: renewing a lease waits for nothing. */
  leases: Database;
}

/** Values or columns as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** Statements in PostgreSQL's own words, without Kysely, conversions or checks of what they do. */
export interface TextStatements {
  /** @throws StoreUnavailable, after three seconds without an answer as well */
  run(text: string, values: TextRow): Promise<TextRow[]>;
}

export interface WriterOptions {
  /** How long a write waits for another connection's transaction before it fails. */
  busyTimeoutMs: number;
  /** Records every failure of this connection. */
  health?: StoreHealth;
  /** The file is a copy that is being restored: no backup is made before it is migrated. */
  isCopy?: boolean;
  /** Gets lines for the log when a store of an earlier version is backed up and updated, which takes a while. */
  onUpdate?: ((text: string) => void) | undefined;
  /** Of transactions on PostgreSQL; see `TransactionRules`. */
  limits?: { statementMs: number; idleMs: number };
}

/**
 * Keyv on one SQLite file, or on a table of PostgreSQL, for small values and values that expire: tokens, the held token, ids of the bot's
 * messages.
 */
export interface SmallStore {
  /**
   * A namespace of its own. Failures inside are logged, and the value reads as absent.
   * @param fences writes fail with `LeaseLost` once another process has taken one of these leases
   */
  of<Value>(namespace: string, fences?: readonly Fence[]): Keyv<Value>;
  /**
   * Stores a value unless there is one already.
   * @returns the one that is stored: the same for all processes that do this at once @throws StoreUnavailable
   */
  keepFirst<Value>(namespace: string, key: string, value: Value): Promise<Value>;
  /**
   * Changes a value as one step: what other processes change at once is kept. @param next may be called several times
   * @param fences as of `of` @throws StoreUnavailable
   */
  change<Value>(
    namespace: string,
    key: string,
    next: (before: Value | undefined) => Value,
    fences?: readonly Fence[],
  ): Promise<void>;
  /**
   * Deletes values of a namespace for good: the file is written anew without what was deleted before.
   * @param isGone gets the key without the namespace @returns how many were deleted
   */
  deleteWhere(
    namespace: string,
    keyPrefix: string,
    isGone: (entry: { key: string; value: unknown }) => boolean,
  ): Promise<number>;
  /** Deletes expired values. The adapter deletes one only when its key is read. */
  sweep(now: number): Promise<void>;
  /** Replaces the whole content, tokens included, by rows of Keyv's table; all of it or nothing. */
  replaceAll(rows: readonly { key: string; value: string }[]): Promise<void>;
  close(): Promise<void>;
}
