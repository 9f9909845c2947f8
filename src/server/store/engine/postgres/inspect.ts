import { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { pooledDialect } from './dialect.ts';
import { openingProblem } from './errors.ts';
import { endPool, openPool } from './pool.ts';
import { checkServer } from './server.ts';
import { migrationsOnPostgres, refuseOtherVersion } from '../version.ts';
import { shownUrl } from './url.ts';

export interface PostgresState {
  /** Such as `16.4`. */
  version: string;
  /** Bytes. */
  size: number;
  /** How far its clock is ahead of this machine's, in milliseconds; half of the request's time is not known. */
  clockAheadMs: number;
  /** Whether the next start has to create the store. */
  isNew: boolean;
  /** Whether nothing can be written, because somebody has set the database or the user to it. */
  isReadOnly: boolean;
  /** Tables that this user may not read and write. */
  forbidden: string[];
}

/** Looks at a store on PostgreSQL and changes nothing. @throws StoreError that says why it cannot be used */
export async function inspectPostgres(url: string): Promise<PostgresState> {
  const pool = openPool(url, 1);
  try {
    const version = await checkServer(pool, url);
    const asked = Date.now();
    const clock = await pool.query<{ now: number; size: number; creates: number; readonly: number }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
        pg_database_size(current_database()) AS size,
        has_schema_privilege(current_schema(), 'CREATE') AS creates,
        current_setting('transaction_read_only') = 'on' AS readonly`,
    );
    const answered = Date.now();
    const tables = await pool.query<{ name: string; allowed: number }>(
      `SELECT relname AS name, has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE') AS allowed
        FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`,
    );
    const db = new Kysely<Schema>({ dialect: pooledDialect(pool, { rules: null }) });
    const applied = await migrationsOnPostgres(db);
    refuseOtherVersion(applied, shownUrl(url));
    const { now = 0, size = 0, creates = 0, readonly = 0 } = clock.rows[0] ?? {};
    const forbidden = tables.rows.filter(({ allowed }) => allowed === 0).map(({ name }) => name);
    return {
      version,
      size,
      clockAheadMs: Math.round(now - (asked + answered) / 2),
      isNew: applied.length === 0,
      isReadOnly: readonly === 1,
      forbidden: applied.length === 0 && creates === 0 ? ['the schema', ...forbidden] : forbidden,
    };
  } catch (error) {
    throw openingProblem(url, error);
  } finally {
    await endPool(pool);
  }
}
