import { KeyvSqlite } from '@keyv/sqlite';
import { CompiledQuery } from 'kysely';
import type { Database } from './connections.ts';
import { isPostgres } from './dialect.ts';

/**
 * @keyv/sqlite on the store's own connections. Its writes wait in the same queue as all others, so none lands in another's
 * transaction, and waiting for SQLite's lock does not block the event loop. Its reads wait for no writer.
 */
export class StoredValues extends KeyvSqlite {
  constructor(writes: Database, reads: Database) {
    super();
    this.query = async (statement: string, ...values: unknown[]) => {
      const db = statement.startsWith('SELECT') ? reads : writes;
      const text = isPostgres(db) ? inPostgres(statement) : statement;
      return (await db.executeQuery(CompiledQuery.raw(text, values.flat()))).rows;
    };
  }
}

function inPostgres(statement: string): string {
  let number = 0;
  return statement
    .replace('SELECT value FROM json_each(?)', 'SELECT json_array_elements_text(?::json)')
    .replaceAll('?', () => `$${(number += 1)}`);
}
