import type { Pool } from 'pg';
import { StoreError } from '../error.ts';
import { migrationsOnPostgres, refuseOtherVersion } from '../version.ts';
import { databaseOf } from './dialect.ts';
import { openingProblem } from './errors.ts';
import { endPool, openPool } from './pool.ts';
import { shownUrl } from './url.ts';

/** The first version of PostgreSQL with everything that is used. */
const leastVersion = 14;

/** @returns the server's version @throws StoreError when the server or the database cannot hold a store */
export async function checkServer(pool: Pool, url: string): Promise<string> {
  const { rows } = await pool.query<{
    version: string;
    encoding: string;
    isolation: string;
    schema: string | null;
  }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
      current_setting('default_transaction_isolation') AS isolation, current_schema() AS schema`,
  );
  const { version = '', encoding, isolation, schema } = rows[0] ?? {};
  const refuse = (found: string): never => {
    throw new StoreError(`cannot use the store at ${shownUrl(url)}: ${found}.`);
  };
  if (!(Number.parseInt(version, 10) >= leastVersion))
    refuse(`it is PostgreSQL ${version}, and Outpost needs ${leastVersion} or newer`);
  if (encoding !== 'UTF8')
    refuse(
      `its encoding is ${encoding}, in which not every name can be stored. Create a database with the encoding UTF8`,
    );
  // Otherwise one of two processes that change the same row fails, where it has to wait.
  if (isolation !== 'read committed')
    refuse(`its default_transaction_isolation is ${isolation}. Set it to 'read committed'`);
  if (schema === null) refuse('the search_path of its user names no schema. Set it to public');
  return version;
}

/**
 * Looks at a store on PostgreSQL and changes nothing.
 * @returns the server's version, such as `16.4`, the store's bytes, and whether the next start has to create it
 * @throws StoreError that says why it cannot be used
 */
export async function inspectPostgres(url: string) {
  const pool = openPool(url, 1);
  try {
    const version = await checkServer(pool, url);
    const { rows } = await pool.query<{ size: number }>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    const applied = await migrationsOnPostgres(databaseOf(pool, { rules: null }));
    refuseOtherVersion(applied, shownUrl(url));
    return { version, size: rows[0]?.size ?? 0, isNew: applied.length === 0 };
  } catch (error) {
    throw openingProblem(url, error);
  } finally {
    await endPool(pool);
  }
}
