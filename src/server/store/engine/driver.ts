import { createRequire } from 'node:module';
import type Driver from 'better-sqlite3';

/** The first version of Node-API that better-sqlite3 13 runs on: that of Node.js 22.14. */
const newestDriverFrom = 10;

/**
 * Whether this Node.js runs better-sqlite3 13, which ships its binaries and needs no compiler. It crashes below Node-API
 * 10, which no Node.js 20 has. Version 12 supports Node.js 20, but compiled for Node.js 24.19 or newer it aborts the
 * process when garbage collection meets a statement.
 */
export function runsNewestDriver(nodeApi = Number(process.versions.napi)): boolean {
  return nodeApi >= newestDriverFrom;
}

const require = createRequire(import.meta.url);

export type SQLiteDatabase = Driver.Database;
export type { Statement as SQLiteStatement } from 'better-sqlite3';
export const SQLite = (
  runsNewestDriver() ? require('better-sqlite3-13') : require('better-sqlite3')
) as typeof Driver;

/** Does work on a connection of its own. @param file its path, or its content @throws SQLite's errors */
export function withSqlite<T>(
  file: string | Buffer,
  options: Driver.Options,
  work: (sqlite: SQLiteDatabase) => T,
): T {
  const sqlite = new SQLite(file, options);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Whether another connection holds the lock that a statement needs. */
export const isBusy = (error: unknown): boolean => (error as { code?: unknown }).code === 'SQLITE_BUSY';

export function hasTable(sqlite: SQLiteDatabase, name: string): boolean {
  return sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}
