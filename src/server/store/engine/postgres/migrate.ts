import { sql } from 'kysely';
import { version } from '../../../../process/version.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { StoreError } from '../error.ts';
import type { Database } from '../connections.ts';
import type { TransactionRules } from './transactions.ts';
import { shownUrl } from './url.ts';

/** Long enough for another process to migrate a large store. */
const waitMs = 120_000;

/**
 * Applies what is missing, in one transaction under the store's write lock: of several processes one migrates, and the
 * others find it done. Kysely's own migrator takes a lock of the session, which PgBouncer loses.
 */
export async function migratePostgres(
  through: (rules: Partial<TransactionRules>) => Database,
  url: string,
  migrations = postgresMigrations,
): Promise<void> {
  const checksVersion = false;
  if ((await pendingMigrations(through({ checksVersion, lockMs: null }), url, migrations)).length === 0)
    return;
  const db = through({ checksVersion, lockMs: waitMs, statementMs: 0, idleMs: waitMs });
  await db.transaction().execute(async (tx) => {
    await sql`CREATE TABLE IF NOT EXISTS kysely_migration (
      name text COLLATE "C" PRIMARY KEY, timestamp text COLLATE "C" NOT NULL
    )`.execute(tx);
    for (const name of await pendingMigrations(tx, url, migrations)) {
      for (const statement of migrations[name] ?? []) await sql.raw(statement).execute(tx);
      await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(tx);
    }
  });
}

/** The migrations that a store lacks. @throws StoreError when it has some that this version does not know */
export async function pendingMigrations(
  db: Database,
  url: string,
  migrations: Readonly<Record<string, readonly string[]>> = postgresMigrations,
): Promise<string[]> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new StoreError(
      `the store at ${shownUrl(url)} was made by a newer Outpost (migration ${unknown.at(-1)}); this is ${version}. ` +
        'Start that version or a newer one, or restore a dump from before the update.',
    );
  }
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const exists = await db
    .selectNoFrom(sql<string | null>`to_regclass('kysely_migration')::text`.as('found'))
    .executeTakeFirstOrThrow();
  if (exists.found === null) return [];
  const table = sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`;
  return (await table.execute(db)).rows.map(({ name }) => name);
}
