import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SQLite } from './driver.ts';
import { explained } from './postgres/errors.ts';
import { endPool, openPool } from './postgres/pool.ts';
import { isStoreUrl } from './postgres/url.ts';
import { storageProblem } from './storage-errors.ts';

const selected = 'SELECT value FROM keyv WHERE key = ';
const busyTimeoutMs = 2_000;

/**
 * Reads one value of the small store, and creates nothing. Never to be called in a process that has the small store open.
 * @param place the data folder, or the URL of a store on PostgreSQL
 * @returns undefined: there is no such value
 * @throws StoreError when it cannot be read, and the engine's error where the store has no table yet
 */
export async function readStoredValue(place: string, namespace: string, name: string): Promise<unknown> {
  const text = await (isStoreUrl(place) ? fromPostgres : fromFile)(place, `${namespace}:${name}`);
  return text === undefined ? undefined : (JSON.parse(text) as { value?: unknown }).value;
}

async function fromFile(dataFolder: string, key: string): Promise<string | undefined> {
  const file = join(dataFolder, 'keyv.sqlite');
  if (!existsSync(file)) return undefined;
  let sqlite: InstanceType<typeof SQLite> | undefined;
  try {
    // Not for reading only: a process that was killed may have left a journal that has to be rolled back.
    sqlite = new SQLite(file, { fileMustExist: true, timeout: busyTimeoutMs });
    return (sqlite.prepare(`${selected}?`).get(key) as { value: string } | undefined)?.value;
  } catch (error) {
    throw storageProblem(file, error) ?? error;
  } finally {
    sqlite?.close();
  }
}

async function fromPostgres(url: string, key: string): Promise<string | undefined> {
  const pool = openPool(url, 1);
  try {
    return (await pool.query<{ value: string }>(`${selected}$1`, [key])).rows[0]?.value;
  } catch (error) {
    throw explained(error);
  } finally {
    await endPool(pool);
  }
}
