import {
  openWriter,
  type Database,
  type SharedStore,
  type WriteDatabase,
} from '../../../../src/server/store/engine/database.ts';
import { openNewDatabase, patient } from '../../../harness/new-store.ts';

/** A store in PostgreSQL, to which several processes connect. */
export interface LeaseStore {
  /** Another process's way to the store. */
  connect(): Promise<SharedStore>;
  db: Database;
  close(): Promise<void>;
}

export async function openLeaseStore(): Promise<LeaseStore> {
  const store = await openNewDatabase();
  const others: WriteDatabase[] = [];
  const sharedOf = ({ shared }: WriteDatabase): SharedStore => {
    if (shared === undefined) throw new Error('expected a store that several processes share');
    return shared;
  };
  return {
    db: sharedOf(store).unlocked,
    async connect() {
      const other = await openWriter(store.location, { limits: patient });
      others.push(other);
      return sharedOf(other);
    },
    async close() {
      await Promise.all(others.map((other) => other.close()));
      await store.close();
    },
  };
}
