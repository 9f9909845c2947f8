/**
 * Stands in for the native sqlite3, which @keyv/sqlite 4 imports and opens a file with. Outpost's `StoredValues`
 * (src/server/store/engine/sqlite/stored-values.ts) sends the statements of @keyv/sqlite to the store's own connections,
 * so nothing is opened here.
 */
class Database {
  constructor(name, opened) {
    queueMicrotask(() => opened(null));
  }

  /** Called once, to create the table, which the store's migrations have done. */
  all(statement, done) {
    done(null, []);
  }

  close(done) {
    done(null);
  }
}

export default { Database };
