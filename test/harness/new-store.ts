import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  openWriter,
  type WriteDatabase,
  type WriterOptions,
} from '../../src/server/store/engine/database.ts';
import { createDatabase, databaseUrl, type TestDatabase } from './postgres-databases.ts';

/** Whether tests that can use either engine use PostgreSQL. */
export const onPostgres = process.env['OUTPOST_TEST_STORE'] === 'postgres';

export interface NewStore extends WriteDatabase {
  /** Opens the store again: the file, or the URL of a database that is dropped when this one is closed. */
  location: string;
}

let migrated: Promise<Buffer> | undefined;

/**
 * Opens a new store on the engine that is tested. Creating its tables costs most of that, so every store is a copy.
 * @param file where the store lies, if it is one of SQLite
 */
export async function openNewStore(file: string, options: WriterOptions = {}): Promise<NewStore> {
  if (onPostgres) return await openNewDatabase(options);
  migrated ??= newStore();
  await writeFile(file, await migrated, { flag: 'wx' });
  return { ...(await openWriter(file, options)), location: file };
}

/** Creates a database, empty or a copy of `template`. */
export async function newDatabase(template?: string): Promise<TestDatabase> {
  const { name, drop } = await createDatabase(inject('postgresUrl'), template);
  return { name, url: databaseUrl(inject('storesUrl'), name), drop };
}

/** The URL of a database of the tests without PgBouncer between. */
export function directUrl(location: string): string {
  return databaseUrl(inject('postgresUrl'), new URL(location).pathname.slice(1));
}

/** No transaction of a test fails because the machine is busy. */
export const patient = { statementMs: 120_000, idleMs: 120_000 };

/** Opens a new store in a database of its own, whatever engine is tested. */
export async function openNewDatabase(options: WriterOptions = {}): Promise<NewStore> {
  const database = await newDatabase(inject('postgresTemplate'));
  const writer = await openWriter(database.url, { limits: patient, ...options });
  return {
    ...writer,
    location: database.url,
    async close() {
      await writer.close();
      await database.drop();
    },
  };
}

async function newStore(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-store-'));
  try {
    const file = join(folder, 'outpost.sqlite');
    const { close } = await openWriter(file);
    await close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
