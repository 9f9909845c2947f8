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

export type { Database as SQLiteDatabase, Statement as SQLiteStatement } from 'better-sqlite3';
/** The SQLite driver for this Node.js. */
export const SQLite = (
  runsNewestDriver() ? require('better-sqlite3-13') : require('better-sqlite3')
) as typeof Driver;
