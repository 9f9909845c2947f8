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
  const server = given === undefined ? await startPostgres() : null;
  const url = server?.url('postgres') ?? String(given);
  const proxy = await startProxy(url);
  const store = await createDatabase(url);
  const { close } = await openWriter(store.url, { busyTimeoutMs: 10_000 });
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
