import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SQLite, type SQLiteDatabase } from './engine/driver.ts';
import {
  CompiledQuery,
  Kysely,
  Migrator,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDialectConfig,
} from 'kysely';
import { ensureDataFolder } from './engine/data-folder.ts';
import { migrations } from './migrations/index.ts';
import { withPreparedStatements } from './engine/prepared-statements.ts';
import type { Schema } from './schema.ts';
import { storageProblem } from './engine/storage-errors.ts';
import { StoreError } from './engine/error.ts';
import { StoreHealth } from './engine/health.ts';
import { needsUpdate, recordVersion, refuseNewer } from './engine/version.ts';
import { backUpBeforeUpdate } from './backup/before-update.ts';

export type Database = Kysely<Schema>;

/** A connection that can only read: SQLite refuses every write on it. */
export interface ReadDatabase {
  db: Pick<Database, 'selectFrom'>;
  /**
   * A number that changes whenever any other connection, of this process or another, has committed.
   * Source: SQLite's `PRAGMA data_version`.
   */
  dataVersion(): number;
  close(): Promise<void>;
}

/** A connection that may write, with the schema migrated. */
export interface WriteDatabase {
  db: Database;
  /** Whether the store can be written. After a failed write, this tries a small one. */
  canWrite(): boolean;
  close(): Promise<void>;
}

export interface WriterOptions {
  /** How long a write waits for another connection's transaction before it fails. */
  busyTimeoutMs: number;
  /** Records every failure of this connection. */
  health?: StoreHealth;
  /** The file is a copy that is being restored: no backup is made before it is migrated. */
  isCopy?: boolean;
}

/** How long opening and migrating wait for another process that does the same. */
const startTimeoutMs = 10_000;
const busyRetryMs = 10;

/** In WAL mode a reader waits only for the last moment of a checkpoint. */
const readerBusyTimeoutMs = 1_000;

/** Path of the store in the data folder. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'outpost.sqlite');
}

/**
 * Opens (or creates) the store for writing and migrates it; a store of an earlier version is backed up before.
 * @throws StoreError that says why it cannot be used
 */
export async function openWriter(
  file: string,
  { busyTimeoutMs, health = new StoreHealth(), isCopy = false }: WriterOptions,
): Promise<WriteDatabase> {
  ensureDataFolder(dirname(file));
  let patienceMs = startTimeoutMs;
  let sqlite: SQLiteDatabase | undefined;
  let db: Database | undefined;
  try {
    sqlite = new SQLite(file, { timeout: startTimeoutMs });
    refuseNewer(sqlite, file);
    if (!isCopy && needsUpdate(sqlite)) await backUpBeforeUpdate(file);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    db = new Kysely<Schema>({
      dialect: new WriterDialect({ database: withPreparedStatements(sqlite, health) }, () => patienceMs),
    });
    recordVersion(sqlite);
    // From here on the driver waits by itself: SQLite's own waiting would block this thread.
    sqlite.pragma('busy_timeout = 0');
    await migrate(db, file);
    patienceMs = busyTimeoutMs;
  } catch (error) {
    sqlite?.close();
    if (error instanceof StoreError) throw error;
    const { message } = error as Error;
    throw (
      storageProblem(file, error) ??
      new StoreError(`cannot open the database ${file}: ${message}`, { cause: error })
    );
  }
  const opened = db;
  const connection = sqlite;
  return {
    db: opened,
    canWrite: () => health.canWrite || writeAgain(connection, health),
    close: () => opened.destroy(),
  };
}

/** Writes a value that is stored already. */
function writeAgain(sqlite: SQLiteDatabase, health: StoreHealth): boolean {
  if (sqlite.inTransaction) return false;
  try {
    recordVersion(sqlite, true);
    health.written();
  } catch {
    // The disk is still full, or another connection is writing: the next call tries again.
  }
  return health.canWrite;
}

/** Opens an existing, migrated store for reading only. */
export function openReader(file: string, health?: StoreHealth): ReadDatabase {
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: readerBusyTimeoutMs });
  sqlite.pragma('query_only = ON');
  const version = sqlite.prepare('PRAGMA data_version').pluck();
  const database = withPreparedStatements(sqlite, health);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  return { db, dataVersion: () => version.get() as number, close: () => db.destroy() };
}

/**
 * Takes the write lock when a transaction begins. Otherwise a transaction that reads first and writes later would
 * fail at once if another process had committed in between (SQLITE_BUSY_SNAPSHOT).
 */
class WriterDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #busyTimeoutMs: () => number;

  constructor(config: SqliteDialectConfig, busyTimeoutMs: () => number) {
    super(config);
    this.#config = config;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  override createDriver(): SqliteDriver {
    return new WriterDriver(this.#config, this.#busyTimeoutMs);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Migrates in one transaction: if two processes open a new store at once, the second finds it migrated. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WriterDriver extends SqliteDriver {
  readonly #busyTimeoutMs: () => number;

  constructor(config: SqliteDialectConfig, busyTimeoutMs: () => number) {
    super(config);
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => patiently(() => connection.executeQuery(query), this.#busyTimeoutMs()),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some errors, a full disk among them, SQLite has rolled the transaction back by itself. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error as Error).message.includes('no transaction is active')) throw error;
    }
  }
}

/** Retries while another connection writes, without blocking this thread. */
async function patiently<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await delay(busyRetryMs);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && error.code === 'SQLITE_BUSY';
}

async function migrate(db: Database, file: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw (
      storageProblem(file, error) ??
      new StoreError(`migration of ${file} failed: ${reason}`, { cause: error })
    );
  }
}
