import { randomBytes } from 'node:crypto';
import { KeyvSqlite } from '@keyv/sqlite';
import { Keyv } from 'keyv';
import { CompiledQuery, sql } from 'kysely';
import type { Logger } from 'pino';
import { byDialect, isPostgres } from './dialect.ts';
import { LeaseLost } from './error.ts';
import { logFailure } from './store-health.ts';
import type { Database, Reader, WriteDatabase } from './connections.ts';
import type { HeldLease } from '../../../process/leases.ts';
import { writeValue } from './transactions.ts';

export type SmallValues = ReturnType<typeof openSmallValues>;

/** Keyv on a table of the store, for small values and values that expire: tokens, the held token, what the bot keeps. */
export function openSmallValues(
  { db, shared }: Pick<WriteDatabase, 'db' | 'shared'>,
  reads: Reader,
  log: Logger,
) {
  // The connections for reading have all of Kysely; their type only hides what they would refuse.
  const keyvOn = <Value>(writes: Database, reads: Reader, namespace: string): Keyv<Value> =>
    new Keyv<Value>({ store: new StoredValues(writes, reads as Database), namespace });
  return {
    /**
     * A namespace of its own. Failures inside are logged, and the value reads as absent.
     * @param fences writes fail with `LeaseLost` once another process has taken one of these leases
     */
    of<Value>(namespace: string, fences?: readonly HeldLease[]): Keyv<Value> {
      const writes = fences === undefined ? (shared?.unlocked ?? db) : (shared?.fenced(fences) ?? db);
      const keyv = keyvOn<Value>(writes, reads, namespace);
      keyv.on('error', (error: unknown) => {
        if (!(error instanceof LeaseLost))
          logFailure(log, error, 'could not read or write the store', { namespace });
      });
      return keyv;
    },
    /** Changes a value as one step: what other processes change at once is kept. Returns the new one. @throws StoreUnavailable */
    async change<Value>(
      namespace: string,
      key: string,
      next: (before: Value | undefined) => Value,
    ): Promise<Value> {
      return await writeValue(db, `${namespace}:${key}`, async (tx) => {
        const keyv = keyvOn<Value>(tx, tx, namespace);
        keyv.throwOnErrors = true;
        const value = next(await keyv.get(key));
        await keyv.set(key, value);
        return value;
      });
    },
  };
}

/** A secret of this store, 32 random bytes; created if there is none. Processes that do this at once get the same. */
export async function openSecret(small: Pick<SmallValues, 'change'>, namespace: string): Promise<Buffer> {
  const { key } = await small.change<{ key: string }>(
    namespace,
    'key',
    (before) => before ?? { key: randomBytes(32).toString('base64url') },
  );
  return Buffer.from(key, 'base64url');
}

/**
 * @keyv/sqlite on the store's own connections. Its writes wait in the same queue as all others, so none lands in another's
 * transaction, and waiting for SQLite's lock does not block the event loop. Its reads wait for no writer.
 */
class StoredValues extends KeyvSqlite {
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

/** The namespace of what the bot keeps. The others hold tokens and the key that marks them. */
export const botNamespace = 'bot';

/** A value of the bot; undefined: there is none. */
export async function readBotValue(db: Reader, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('keyv')
    .select('value')
    .where('key', '=', `${botNamespace}:${key}`)
    .executeTakeFirst();
  return row && (JSON.parse(row.value) as { value: unknown }).value;
}

/** Deletes expired values. Keyv deletes one only when its key is read. @param now epoch milliseconds */
export async function sweepSmallValues(db: Database, now: number): Promise<void> {
  const expires = byDialect<number>(
    sql<number>`json_extract(value, '$.expires')`,
    () => sql<number>`(value::json ->> 'expires')::numeric`,
  );
  await db.deleteFrom('keyv').where(expires, '<', now).execute();
}
