import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  CompiledQuery,
  Kysely,
  Migrator,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDialectConfig,
} from 'kysely';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';

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

/** A connection that may write, the schema brought up to date. */
export interface WriteDatabase {
  db: Database;
  close(): Promise<void>;
}

export interface WriterOptions {
  /** How long a write waits for another process's transaction, with this process standing still, before it fails. */
  busyTimeoutMs: number;
}

/** A reader in WAL mode waits for nobody but a checkpoint's last moment. */
const readerBusyTimeoutMs = 1_000;

/** Where the store lies in the data folder. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'outpost.sqlite');
}

/** Opens (or creates) the store for writing and migrates it. Throws when the file is no SQLite database. */
export async function openWriter(file: string, { busyTimeoutMs }: WriterOptions): Promise<WriteDatabase> {
  // For its owner alone: it holds what the config keeps private.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const sqlite = new SQLite(file, { timeout: busyTimeoutMs });
  let db: Database | undefined;
  try {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ database: sqlite }) });
    await migrate(db, file);
  } catch (error) {
    sqlite.close();
    throw new StoreError(`cannot open the database ${file}: ${(error as Error).message}`, { cause: error });
  }
  const opened = db;
  return { db: opened, close: () => opened.destroy() };
}

/** Opens an existing, migrated store for reading only. */
export function openReader(file: string): ReadDatabase {
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: readerBusyTimeoutMs });
  sqlite.pragma('query_only = ON');
  const version = sqlite.prepare('PRAGMA data_version').pluck();
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  return { db, dataVersion: () => version.get() as number, close: () => db.destroy() };
}

/**
 * Takes the write lock when a transaction begins. A transaction that reads first and writes later would fail at once,
 * without any waiting, if another process had committed in between (SQLITE_BUSY_SNAPSHOT).
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some errors, a full disk among them, SQLite has taken the transaction back by itself. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error as Error).message.includes('no transaction is active')) throw error;
    }
  }
}

async function migrate(db: Database, file: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new StoreError(`migration of ${file} failed: ${reason}`, { cause: error });
  }
}
