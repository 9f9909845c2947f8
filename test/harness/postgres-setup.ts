import type { TestProject } from 'vitest/node';
import { openWriter } from '../../src/server/store/database.ts';
import { createDatabase, onServer } from './postgres-databases.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's database for administration. */
    postgresUrl: string;
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
  const version = process.env['OUTPOST_TEST_POSTGRES_VERSION'] === '14' ? 14 : 18;
  const server = given === undefined ? await startPostgres(version) : null;
  const url = server?.url('postgres') ?? String(given);
  const store = await createDatabase(url);
  const { close } = await openWriter(store.url, { busyTimeoutMs: 10_000 });
  await close();
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', store.name);
  return async () => {
    await onServer(url, `DROP DATABASE "${store.name}" WITH (FORCE)`);
    await server?.remove();
  };
}
