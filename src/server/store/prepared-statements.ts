import type SQLite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';
import { LRUCache } from 'lru-cache';

/** More than the service has; what an import puts together anew each time is not to push them out. */
const maxStatements = 300;

/** A connection that prepares each statement once: Kysely would do so at each use, which takes as long as a short query. */
export function withPreparedStatements(sqlite: SQLite.Database): SqliteDatabase {
  const statements = new LRUCache<string, SQLite.Statement>({ max: maxStatements });
  return {
    prepare(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = sqlite.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => void sqlite.close(),
  };
}
