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
