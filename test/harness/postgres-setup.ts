import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { createDatabase, onServer } from './postgres-databases.ts';
import { startProxy } from './pgbouncer.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's database for administration. */
    postgresUrl: string;
    /** The same as stores reach it: through PgBouncer, if the tests run through it. */
    storesUrl: string;
    /** The name of a new store, which is copied for each test. */
    postgresTemplate: string;
  }
}

/**
 * Starts a PostgreSQL for the tests of a project, or takes that of `OUTPOST_TEST_POSTGRES`, the URL of a database from
 * which others may be created.
 */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['OUTPOST_TEST_POSTGRES'];
  const server = given === undefined ? await startPostgres(undefined, {}, await fastestFolder()) : null;
  const url = server?.url('postgres') ?? String(given);
  const proxy = await startProxy(url);
  const store = await createDatabase(url);
  const { close } = await openWriter(store.url);
  await close();
  project.provide('postgresUrl', url);
  project.provide('storesUrl', proxy.through(url));
  project.provide('postgresTemplate', store.name);
  return async () => {
    await proxy.stop();
    await onServer(url, `DROP DATABASE "${store.name}" WITH (FORCE)`);
    await server?.remove();
  };
}

/**
 * Linux keeps this folder in memory. Each store has hundreds of files, which take a third of the CPU time there. Containers may
 * have little of it.
 */
async function fastestFolder(): Promise<string> {
  const memory = '/dev/shm';
  const space = await statfs(memory).catch(() => null);
  return space !== null && space.bavail * space.bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}
