import { createRequire } from 'node:module';
import type { Client, Pool } from 'pg';

const require = createRequire(import.meta.url);

/** How long a statement waits for a connection: one that is free, or a new one. */
const connectTimeoutMs = 5_000;
/** Firewalls forget connections on which nothing is sent; the shortest known waits a minute. */
const keepAliveMs = 30_000;

/** Ids of PostgreSQL's types. Source: `pg_type.dat` */
const bool = 16;
const int8 = 20;
const numeric = 1700;

/** Connections to a database. A lost one is replaced when the next is needed. Only here is `pg` loaded. */
export function openPool(connectionString: string, max: number): Pool {
  const { Client: PgClient, Pool: PgPool, types } = require('pg') as typeof import('pg');
  const parsers = new Map<number, (text: string) => unknown>([
    // All numbers of the store are safe integers.
    [int8, Number],
    [numeric, Number],
    // A condition reads as in SQLite.
    [bool, (text) => Number(text === 't')],
  ]);
  const getTypeParser = (id: number, format?: 'text' | 'binary'): unknown =>
    parsers.get(id) ?? types.getTypeParser(id, format);
  /** Where the login fails on this side, `pg` leaves the connection open, which would keep the process from ending. */
  class EndingClient extends PgClient {
    override connect(): Promise<this>;
    override connect(callback: (error: Error | null, client?: Client) => void): void;
    override connect(callback?: (error: Error | null, client?: Client) => void): Promise<this> | void {
      if (callback === undefined) return super.connect() as unknown as Promise<this>;
      super.connect((error: Error | null) => {
        if (error) this.end(() => undefined);
        callback(error, this);
      });
    }
  }
  const pool = new PgPool({
    Client: EndingClient,
    connectionString: withPlainMode(connectionString),
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'outpost',
    types: { getTypeParser },
  });
  // The next statement finds out that its connection is lost. Without listeners the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

/**
 * `pg` reads these modes as `verify-full`, warns on standard error that a later version will not, and asks for it to be
 * named. With `uselibpqcompat` they are what PostgreSQL's own programs take them for.
 */
function withPlainMode(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** Closes all connections; again does nothing. */
export async function endPool(pool: Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}
