import { KeyvSqlite } from '@keyv/sqlite';
import { CompiledQuery } from 'kysely';
import type { Database } from '../connections.ts';

type Runs = Pick<Database, 'executeQuery'>;

/**
 * @keyv/sqlite on the store's own connections. Its writes wait in the same queue as all others, so none lands in another's
 * transaction, and waiting for SQLite's lock does not block the event loop. Its reads wait for no writer.
 */
export class StoredValues extends KeyvSqlite {
  constructor(writes: Runs, reads: Runs) {
    super();
    this.query = async (statement: string, ...values: unknown[]) => {
      const db = statement.startsWith('SELECT') ? reads : writes;
      return (await db.executeQuery(CompiledQuery.raw(statement, values.flat()))).rows;
    };
  }
}
