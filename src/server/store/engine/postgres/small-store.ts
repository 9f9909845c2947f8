import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { logFailure } from '../log-failure.ts';
import { insertFirst, keepFirst } from '../keep-first.ts';
import { changeValue } from '../change-value.ts';
import { LeaseLost } from '../error.ts';
import type { SmallStore } from '../opened.ts';
import { explained, openingProblem } from './errors.ts';
import { fencedRow, fencedValues } from './fenced-values.ts';
import { openPool } from './pool.ts';
import type { Fence } from './transactions.ts';

const connections = 4;
/** Requests wait for these statements, so none may take longer. */
const answerMs = 10_000;
/** Keys contain ids of other services, whose length is not ours to say. */
const longestKey = 1_000;

/** The table of Keyv in the database of the store. @throws StoreError when it cannot be used */
export async function openPostgresSmallStore(url: string, log: Logger): Promise<SmallStore> {
  const { KeyvPostgres } = await import('@keyv/postgres');
  const pool = openPool(url, connections);
  const query = async (text: string, values: unknown[] = []): Promise<Record<string, string>[]> => {
    try {
      // Its types do not know the time limit of a single query.
      const limited = { text, values, query_timeout: answerMs } as QueryConfig;
      return (await pool.query<Record<string, string>>(limited)).rows;
    } catch (error) {
      throw explained(error);
    }
  };
  /** Keyv's own pool is one for all stores of a process. */
  class PooledKeyv extends KeyvPostgres {
    override async connect(): Promise<typeof query> {
      return query;
    }

    override async disconnect(): Promise<void> {
      await pool.end();
    }
  }
  const failures: unknown[] = [];
  const adapter = new PooledKeyv({ uri: url, keySize: longestKey });
  // It creates its table by itself, and only says so when it could not.
  adapter.on('error', (error: unknown) => failures.push(error));
  try {
    await adapter.query('SELECT key FROM keyv LIMIT 1');
  } catch (error) {
    await pool.end();
    throw openingProblem(url, failures[0] ?? error);
  }
  return {
    of<Value>(namespace: string, fences?: readonly Fence[]) {
      const all = adapter as unknown as KeyvStoreAdapter;
      const store = fences === undefined ? all : fencedValues(query, all, fences);
      const keyv = new Keyv<Value>({ store, namespace });
      keyv.on('error', (error: unknown) => {
        if (!(error instanceof LeaseLost))
          logFailure(log, error, 'could not read or write the store', { namespace });
      });
      return keyv;
    },
    keepFirst: async (namespace, key, value) =>
      await keepFirst(async (...row) => await query(insertFirst, row), namespace, key, value),
    async change(namespace, key, next, fences = []) {
      await changeValue(fencedRow(query, `${namespace}:${key}`, fences), next);
    },
    async deleteWhere(namespace, keyPrefix, isGone) {
      const prefix = `${namespace}:${keyPrefix}`;
      const rows = await query('SELECT key, value FROM keyv WHERE starts_with(key, $1)', [prefix]);
      const gone = rows.filter(({ key = '', value = '' }) =>
        isGone({
          key: key.slice(namespace.length + 1),
          value: (JSON.parse(value) as { value?: unknown }).value,
        }),
      );
      await query('DELETE FROM keyv WHERE key = ANY ($1)', [gone.map(({ key }) => key)]);
      return gone.length;
    },
    async sweep(now) {
      await query("DELETE FROM keyv WHERE (value::json ->> 'expires')::numeric < $1", [now]);
    },
    async replaceAll(rows) {
      await query(
        `WITH kept AS (SELECT * FROM unnest($1::text[], $2::text[]) AS kept (key, value)),
          deleted AS (DELETE FROM keyv WHERE key NOT IN (SELECT key FROM kept))
        INSERT INTO keyv SELECT key, value FROM kept ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        [rows.map(({ key }) => key), rows.map(({ value }) => value)],
      );
    },
    close: async () => await adapter.disconnect(),
  };
}
