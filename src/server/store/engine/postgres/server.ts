import type { Pool } from 'pg';
import { StoreError } from '../error.ts';
import { shownUrl } from './url.ts';

/** The first version of PostgreSQL with everything that is used. */
const leastVersion = 14;

/** @returns the server's version @throws StoreError when the server or the database cannot hold a store */
export async function checkServer(pool: Pool, url: string): Promise<string> {
  const { rows } = await pool.query<{
    version: string;
    encoding: string;
    isolation: string;
    standby: number;
    schema: string | null;
    user: string;
    database: string;
  }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
      current_setting('default_transaction_isolation') AS isolation, pg_is_in_recovery() AS standby, current_schema() AS schema,
      quote_ident(current_user) AS user, quote_ident(current_database()) AS database`,
  );
  const [server] = rows;
  if (server === undefined) throw new StoreError(`the store at ${shownUrl(url)} does not say its version`);
  const { version, encoding, isolation, standby, schema, user, database } = server;
  if (Number.parseInt(version, 10) < leastVersion) {
    throw new StoreError(
      `the store at ${shownUrl(url)} is PostgreSQL ${version}: Outpost needs ${leastVersion} or newer. Update the server.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(
      `the database ${shownUrl(url)} has the encoding ${encoding}, in which not every name can be stored. Create ` +
        "another with UTF8: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0.",
    );
  }
  // Otherwise one of two processes that change the same row fails, where it has to wait.
  if (isolation !== 'read committed') {
    throw new StoreError(
      `in the database ${shownUrl(url)}, transactions are ${isolation} unless they say otherwise. Outpost needs ` +
        `read committed: ALTER ROLE ${user} IN DATABASE ${database} SET default_transaction_isolation = 'read committed'.`,
    );
  }
  if (standby === 1) {
    throw new StoreError(
      `the server of ${shownUrl(url)} is a standby, which can only be read. Name the primary in the store URL.`,
    );
  }
  if (schema === null) {
    throw new StoreError(
      `cannot use the store at ${shownUrl(url)}: the search_path of its user names no schema that exists. Create the ` +
        `schema, or run: ALTER ROLE ${user} IN DATABASE ${database} SET search_path = public.`,
    );
  }
  return version;
}
