import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql, SqliteDialect } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { ensureDataFolder } from '../data-folder.ts';
import { isBusy, SQLite, type SQLiteDatabase } from '../driver.ts';
import { StoreError } from '../error.ts';
import type { StoreHealth } from '../store-health.ts';
import type { Database, ReadDatabase, WriteDatabase, WriterOptions } from '../connections.ts';
import { withPreparedStatements } from '../prepared-statements.ts';
import { storageProblem } from '../storage-errors.ts';
import { migrate } from '../migrations.ts';
import { migrationsOfFile, refuseOtherVersion } from '../version.ts';
import { writerDialect } from './writer-dialect.ts';

/** In WAL mode a reader waits only for the last moment of a checkpoint. */
const readerBusyTimeoutMs = 1_000;

export async function openSqliteWriter(
  file: string,
  { busyTimeoutMs = 10_000, health }: WriterOptions,
): Promise<WriteDatabase> {
  ensureDataFolder(dirname(file));
  let sqlite: SQLiteDatabase | undefined;
  try {
    sqlite = new SQLite(file, { timeout: busyTimeoutMs });
    refuseOtherVersion(migrationsOfFile(sqlite), file);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    // A migration that makes a table anew drops the old one, and rows that refer to it must stay.
    sqlite.pragma('foreign_keys = OFF');
    const db = new Kysely<Schema>({
      dialect: writerDialect({ database: withPreparedStatements(sqlite, health) }, busyTimeoutMs),
    });
    // From here on the driver waits by itself: SQLite's own waiting would block this thread.
    sqlite.pragma('busy_timeout = 0');
    await migrate(db, 'sqlite');
    refuseReadOnly(sqlite);
    sqlite.pragma('foreign_keys = ON');
    return { db, wipe: () => wipeFile(db), close: () => db.destroy() };
  } catch (error) {
    sqlite?.close();
    if (error instanceof StoreError) throw error;
    const { message } = error as Error;
    throw (
      storageProblem(file, error) ??
      new StoreError(`cannot open the database ${file}: ${message}`, { cause: error })
    );
  }
}

/**
 * SQLite opens a file that this user may only read, and fails at the first write, wherever that is. @throws SQLite's error for
 * such a file
 */
function refuseReadOnly(sqlite: SQLiteDatabase): void {
  try {
    sqlite.exec('DELETE FROM kysely_migration WHERE 0');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** How long to wait for readers of the log of writes; each reads for a moment. */
const checkpointTries = 100;
const tryAgainMs = 50;

/**
 * SQLite leaves deleted rows in unused parts of its file and in the write-ahead log; the file is written anew without
 * them, and the log is emptied. It needs as much free space as the file has. Other writers wait until it is done, as long as
 * they wait for any; readers do not.
 * @returns false: somebody was reading all the time, so the log of writes still has them
 */
export async function wipeFile(db: Database): Promise<boolean> {
  await sql`VACUUM`.execute(db);
  for (let tries = 0; tries < checkpointTries; tries += 1) {
    const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    if (rows[0]?.busy === 0) return true;
    await sleep(tryAgainMs);
  }
  return false;
}

export function openSqliteReader(file: string, health?: StoreHealth): ReadDatabase {
  const sqlite = new SQLite(file, { readonly: true, fileMustExist: true, timeout: readerBusyTimeoutMs });
  sqlite.pragma('query_only = ON');
  const database = withPreparedStatements(sqlite, health);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  return {
    db,
    async close() {
      await db.destroy();
      // Kysely does not, unless it has been asked for something. Windows deletes and replaces no open file.
      sqlite.close();
    },
  };
}
