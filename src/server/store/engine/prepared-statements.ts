import type { SQLiteDatabase } from './driver.ts';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { StoreHealth } from './store-health.ts';
import { isStorable, storable } from './storable.ts';

/** More than the service has; the statements that imports generate each time must not evict them. */
const maxStatements = 300;

/**
 * A connection that prepares each statement once. Kysely would prepare it at each use, which takes as long as a short
 * query. `health` records every failure and every change.
 */
export function withPreparedStatements(sqlite: SQLiteDatabase, health?: StoreHealth): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: maxStatements });
  const watched = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      health?.failed(error);
      throw error;
    }
  };
  return {
    prepare(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        const prepared = watched(() => sqlite.prepare(text));
        statement = {
          reader: prepared.reader,
          all(parameters) {
            const rows = watched(() => prepared.all(storables(parameters)));
            if (!prepared.readonly && rows.length > 0) health?.written();
            return rows;
          },
          run(parameters) {
            const result = watched(() => prepared.run(storables(parameters)));
            if (result.changes > 0) health?.written();
            return result;
          },
          iterate: (parameters) => prepared.iterate(parameters),
        };
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

/** SQLite would store what PostgreSQL cannot. */
function storables(parameters: readonly unknown[]): readonly unknown[] {
  const areStorable = parameters.every((value) => typeof value !== 'string' || isStorable(value));
  return areStorable ? parameters : parameters.map(storable);
}
