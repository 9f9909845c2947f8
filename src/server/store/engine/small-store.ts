import { join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { changeValue, type ValueRow } from './change-value.ts';
import { ensureDataFolder } from './data-folder.ts';
import { insertFirst, keepFirst } from './keep-first.ts';
import type { SmallStore } from './opened.ts';
import { openPostgresSmallStore } from './postgres/small-store.ts';
import { isStoreUrl } from './postgres/url.ts';
import { isDamage, storageProblem } from './storage-errors.ts';
import { StoreError } from './error.ts';

export type { SmallStore } from './opened.ts';

const busyTimeoutMs = 2_000;

/**
 * Opens or creates it. @param place the data folder, or the URL of a store on PostgreSQL
 * @throws StoreError when it is no database or cannot be written
 */
export async function openSmallStore(place: string, log: Logger): Promise<SmallStore> {
  return isStoreUrl(place) ? await openPostgresSmallStore(place, log) : await openFile(place, log);
}

async function openFile(dataFolder: string, log: Logger): Promise<SmallStore> {
  const file = join(dataFolder, 'keyv.sqlite');
  ensureDataFolder(dataFolder);
  const sqlite = new KeyvSqlite({ uri: `sqlite://${file}`, busyTimeout: busyTimeoutMs });
  // The adapter emits the errors with which it also rejects; without a listener they would end the process.
  sqlite.on('error', () => undefined);
  try {
    await sqlite.query('CREATE TABLE IF NOT EXISTS probe (x); DROP TABLE IF EXISTS probe');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const problem = isDamage(String(code)) ? null : storageProblem(file, error);
    if (problem !== null) throw problem;
    throw new StoreError(
      `cannot open the database ${file}: ${message}. It holds tokens and the ids of the bot's messages only: ` +
        'move it away to start again without it; applications then register again.',
      { cause: error },
    );
  }
  return {
    of<Value>(namespace: string) {
      const keyv = new Keyv<Value>({ store: sqlite, namespace });
      keyv.on('error', (error: unknown) =>
        log.error({ err: error, namespace }, 'could not read or write keyv.sqlite'),
      );
      return keyv;
    },
    keepFirst: async (namespace, key, value) =>
      await keepFirst(async (...row) => await sqlite.query(insertFirst, ...row), namespace, key, value),
    async change(namespace, name, next) {
      const key = `${namespace}:${name}`;
      const written = async (sql: string, ...values: string[]): Promise<boolean> =>
        (await sqlite.query(`${sql} RETURNING 1`, ...values)).length > 0;
      const row: ValueRow = {
        async read() {
          const rows = await sqlite.query('SELECT value FROM keyv WHERE key = ?', key);
          return (rows as { value: string }[])[0]?.value;
        },
        insert: async (value) =>
          await written(
            'INSERT INTO keyv (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING',
            key,
            value,
          ),
        replace: async (before, value) =>
          await written('UPDATE keyv SET value = ? WHERE key = ? AND value = ?', value, key, before),
      };
      await changeValue(row, next);
    },
    async deleteWhere(namespace, keyPrefix, isGone) {
      const prefix = `${namespace}:${keyPrefix}`;
      const rows = (await sqlite.query(
        'SELECT key, value FROM keyv WHERE substr(key, 1, ?) = ?',
        prefix.length,
        prefix,
      )) as { key: string; value: string }[];
      const gone = rows.filter(({ key, value }) =>
        isGone({
          key: key.slice(namespace.length + 1),
          value: (JSON.parse(value) as { value?: unknown }).value,
        }),
      );
      for (const { key } of gone) await sqlite.query('DELETE FROM keyv WHERE key = ?', key);
      await sqlite.query('VACUUM');
      return gone.length;
    },
    async sweep(now) {
      await sqlite.query("DELETE FROM keyv WHERE json_extract(value, '$.expires') < ?", now);
    },
    async replaceAll(rows) {
      await sqlite.query('BEGIN IMMEDIATE');
      try {
        await sqlite.query('DELETE FROM keyv');
        await sqlite.query(
          'INSERT INTO keyv (key, value) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
          JSON.stringify(rows.map(({ key, value }) => [key, value])),
        );
        await sqlite.query('COMMIT');
      } catch (error) {
        await sqlite.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    close: async () => await sqlite.close(),
  };
}
