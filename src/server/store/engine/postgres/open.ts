import { sql } from 'kysely';
import { tables } from '../schema/schema.ts';
import type { StoreHealth } from '../store-health.ts';
import type { Database, ReadDatabase, WriteDatabase, WriterOptions } from '../connections.ts';
import type { TransactionRules } from './connection.ts';
import { databaseOf } from './dialect.ts';
import { openingProblem } from './errors.ts';
import { endPool, openPool } from './pool.ts';
import { checkServer } from './server.ts';
import { migrate } from '../migrations.ts';
import { migrationsOnPostgres, refuseOtherVersion } from '../version.ts';
import { shownUrl } from './url.ts';

const writerConnections = 4;
/** Apart from the writers', which may all be waiting for a lock. Each request with a token is counted by one of them. */
const unlockedConnections = 4;
const readerConnections = 8;
/** The second is for when the first does not answer. */
const leaseConnections = 2;

/** A suspended process must not keep others waiting for longer than a lease is valid. */
const defaultLimits = { statementMs: 5_000, idleMs: 2_000 };

/** Long enough for another process to migrate a large store. */
const migrationMs = 120_000;

/** A config of 1,000 projects takes seconds, and many processes may start at once. */
const startLockMs = 300_000;

export async function openPostgresWriter(url: string, options: WriterOptions): Promise<WriteDatabase> {
  const { busyTimeoutMs = 10_000, health, limits = defaultLimits } = options;
  const pool = openPool(url, options.connections ?? writerConnections);
  // It connects when it is first used, and few writers use it.
  const leasePool = openPool(url, leaseConnections);
  const rules: TransactionRules = { lockMs: busyTimeoutMs, ...limits };
  const through = (changed: Partial<TransactionRules>, own = pool): Database =>
    databaseOf(own, { rules: { ...rules, ...changed }, health });
  try {
    await checkServer(pool, url);
    refuseOtherVersion(await migrationsOnPostgres(through({})), shownUrl(url));
    await migrate(
      through({ isAlone: true, lockMs: migrationMs, statementMs: 0, idleMs: migrationMs }),
      'postgres',
    );
  } catch (error) {
    await endPool(pool);
    throw openingProblem(url, error);
  }
  const db = through({});
  const unlockedPool = openPool(url, unlockedConnections);
  return {
    db,
    shared: {
      unlocked: through({ lockMs: null }, unlockedPool),
      starting: through({ lockMs: startLockMs }),
      fenced: (fences) => through({ fences }),
      leases: through({ lockMs: null }, leasePool),
    },
    async wipe() {
      await vacuum(through({ lockMs: null, statementMs: 0 }));
      return true;
    },
    async close() {
      await Promise.all([pool, unlockedPool, leasePool].map(endPool));
    },
  };
}

export function openPostgresReader(url: string, health?: StoreHealth): ReadDatabase {
  const pool = openPool(url, readerConnections);
  return { db: databaseOf(pool, { rules: null, health }), close: () => endPool(pool) };
}

/**
 * Removes deleted rows from the tables. What they held may stay on the disk until its place is used again, and in the
 * server's write-ahead log and backups for as long as it keeps them.
 * @param unlocked its statements are outside of transactions, as VACUUM must be
 */
async function vacuum(unlocked: Database): Promise<void> {
  for (const name of Object.keys(tables)) await sql`VACUUM ${sql.table(name)}`.execute(unlocked);
}
