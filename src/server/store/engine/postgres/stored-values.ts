import type { KeyvStoreAdapter } from 'keyv';
import { valuesOf } from '../dialect.ts';
import type { Database, Reader } from '../connections.ts';

/** Keyv's table on the store's own pools. @param writes of work that holds leases: one that is fenced by them */
export function storedValues(writes: Database, reads: Reader): KeyvStoreAdapter {
  const deleteMany = async (keys: string[]): Promise<boolean> => {
    const { numDeletedRows } = await writes
      .deleteFrom('keyv')
      .where('key', 'in', valuesOf('text', keys))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  };
  return {
    opts: {},
    async get<Value>(key: string) {
      const row = await reads.selectFrom('keyv').select('value').where('key', '=', key).executeTakeFirst();
      return row?.value as Value | undefined;
    },
    async set(key, value: string) {
      await writes
        .insertInto('keyv')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
    delete: async (key) => await deleteMany([key]),
    deleteMany,
    async clear() {
      throw new Error('not for a part of the values');
    },
    on() {
      return this;
    },
  };
}
