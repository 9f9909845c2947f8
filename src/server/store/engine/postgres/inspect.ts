import { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { pooledDialect } from './dialect.ts';
import { openingProblem } from './errors.ts';
import { endPool, openPool } from './pool.ts';
import { checkServer } from './server.ts';
import { migrationsOnPostgres, refuseOtherVersion } from '../version.ts';
import { shownUrl } from './url.ts';

interface PostgresState {
  /** Such as `16.4`. */
  version: string;
  /** Bytes. */
  size: number;
  /** Whether the next start has to create the store. */
  isNew: boolean;
}

/** Looks at a store on PostgreSQL and changes nothing. @throws StoreError that says why it cannot be used */
export async function inspectPostgres(url: string): Promise<PostgresState> {
  const pool = openPool(url, 1);
  try {
    const version = await checkServer(pool, url);
    const { rows } = await pool.query<{ size: number }>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    const db = new Kysely<Schema>({ dialect: pooledDialect(pool, { rules: null }) });
    const applied = await migrationsOnPostgres(db);
    refuseOtherVersion(applied, shownUrl(url));
    return { version, size: rows[0]?.size ?? 0, isNew: applied.length === 0 };
  } catch (error) {
    throw openingProblem(url, error);
  } finally {
    await endPool(pool);
  }
}
