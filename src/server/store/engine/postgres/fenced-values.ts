import type { KeyvStoreAdapter } from 'keyv';
import type { ValueRow } from '../change-value.ts';
import { LeaseLost } from '../error.ts';
import type { Fence } from './transactions.ts';

type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** The row locks keep the leases from changing hands until the statement has ended; see `leaseHeld`. */
const held = `held AS MATERIALIZED (
  SELECT lease.name FROM lease JOIN unnest($1::text[], $2::bigint[]) AS fence (name, epoch)
    ON lease.name = fence.name AND lease.epoch = fence.epoch
  FOR KEY SHARE OF lease
), allowed AS MATERIALIZED (SELECT 1 FROM held HAVING count(*) = cardinality($1::text[]))`;

/**
 * Runs a statement that writes only where `allowed` has a row, with `$3` and the following as its values.
 * @returns whether it has written @throws LeaseLost once another process has taken one of the leases
 */
export function fencedWrites(query: Query, fences: readonly Fence[]) {
  const names = fences.map(({ name }) => name);
  const epochs = fences.map(({ epoch }) => epoch);
  return async (statement: string, values: unknown[]): Promise<boolean> => {
    const [row] = (await query(
      `WITH ${held}, written AS (${statement} RETURNING 1)
       SELECT (SELECT count(*) FROM allowed) AS allowed, (SELECT count(*) FROM written) AS written`,
      [names, epochs, ...values],
    )) as { allowed: number; written: number }[];
    if (Number(row?.allowed) === 0)
      throw new LeaseLost(`another process has taken over ${names.join(' or ')}`);
    return Number(row?.written) > 0;
  };
}

/** A value of Keyv's table that is changed as one step by who holds leases. */
export function fencedRow(query: Query, key: string, fences: readonly Fence[]): ValueRow {
  const write = fencedWrites(query, fences);
  return {
    async read() {
      const [row] = (await query('SELECT value FROM keyv WHERE key = $1', [key])) as { value: string }[];
      return row?.value;
    },
    insert: async (value) =>
      await write('INSERT INTO keyv (key, value) SELECT $3, $4 FROM allowed ON CONFLICT (key) DO NOTHING', [
        key,
        value,
      ]),
    replace: async (before, value) =>
      await write(
        'UPDATE keyv SET value = $5 WHERE key = $3 AND value = $4 AND EXISTS (SELECT FROM allowed)',
        [key, before, value],
      ),
  };
}

/**
 * Keyv's table for work that holds leases. Each write is one statement that checks them, and fails with `LeaseLost` once
 * another process has taken one: a process that was suspended must not overwrite what the next one has stored.
 */
export function fencedValues(
  query: Query,
  reads: KeyvStoreAdapter,
  fences: readonly Fence[],
): KeyvStoreAdapter {
  const write = fencedWrites(query, fences);
  const deleteMany = async (keys: string[]): Promise<boolean> =>
    await write('DELETE FROM keyv WHERE key = ANY ($3::text[]) AND EXISTS (SELECT FROM allowed)', [keys]);

  return {
    opts: {},
    get: async (key) => await reads.get(key),
    set: async (key, value) =>
      await write(
        `INSERT INTO keyv (key, value) SELECT $3, $4 FROM allowed
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        [key, value],
      ),
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
