import { join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { ensureDataFolder } from './data-folder.ts';
import { isDamage, storageProblem } from './storage-errors.ts';
import { StoreError } from './error.ts';

/**
 * Keyv on one SQLite file, for small values and values that expire: tokens, the held token, ids of the bot's
 * messages.
 */
export interface SmallStore {
  /** A namespace of its own. Failures inside are logged, and the value reads as absent. */
  of<Value>(namespace: string): Keyv<Value>;
  /**
   * Deletes values of a namespace for good: the file is written anew without what was deleted before.
   * @param isGone gets the key without the namespace @returns how many were deleted
   */
  deleteWhere(
    namespace: string,
    keyPrefix: string,
    isGone: (entry: { key: string; value: unknown }) => boolean,
  ): Promise<number>;
  /** Deletes expired values. The adapter deletes one only when its key is read. */
  sweep(now: number): Promise<void>;
  /** Replaces the whole content, tokens included, by rows of Keyv's table; all of it or nothing. */
  replaceAll(rows: readonly { key: string; value: string }[]): Promise<void>;
  close(): Promise<void>;
}

const busyTimeoutMs = 2_000;

/** Opens or creates the file. @throws StoreError when it is no database or cannot be written */
export async function openSmallStore(dataFolder: string, log: Logger): Promise<SmallStore> {
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
