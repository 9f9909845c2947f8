import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type SqliteDialectConfig,
} from 'kysely';
import { isBusy } from '../driver.ts';

const busyRetryMs = 10;

/**
 * Takes the write lock when a transaction begins. Otherwise a transaction that reads first and writes later would
 * fail at once if another process had committed in between (SQLITE_BUSY_SNAPSHOT).
 * @param timeoutMs how long a write waits for another connection's transaction
 */
export const writerDialect = (config: SqliteDialectConfig, timeoutMs: number): Dialect => ({
  createAdapter: () => new TransactionalAdapter(),
  createDriver: () => new WriterDriver(config, timeoutMs),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** Migrates in one transaction: if two processes open a new store at once, the second finds it migrated. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WriterDriver extends SqliteDriver {
  readonly #timeoutMs: number;

  constructor(config: SqliteDialectConfig, timeoutMs: number) {
    super(config);
    this.#timeoutMs = timeoutMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => patiently(() => connection.executeQuery(query), this.#timeoutMs),
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
