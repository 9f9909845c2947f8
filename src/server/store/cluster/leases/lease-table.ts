import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { migrations } from '../../engine/migrations/index.ts';
import type { HeldLease } from '../../../../process/leases.ts';

/** The table `lease` of a PostgreSQL store. Expiry is by the database's clock alone. */

/** How long a lease lasts without being renewed. */
export const leaseMs = 10_000;

const expiry = sql`clock_timestamp() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;
/** Expired, or further ahead than any renewal sets it, because the clock was set back. */
export const isExpired = (table: 'lease' | 'process') => {
  const at = sql.ref(`${table}.expires_at`);
  return sql<boolean>`(${at} <= clock_timestamp() OR ${at} > ${expiry} + interval '1 second')`;
};
const isFree = isExpired('lease');
/** Once a newer version has changed the store, this one can store nothing, and leaves all work to processes of that version. */
export const isOwnVersion = sql<boolean>`
  (SELECT max(name) FROM kysely_migration) <= ${sql.lit(Object.keys(migrations.postgres).toSorted().at(-1))}
`;

/**
 * Takes those of the leases that are free. One that expired while a transaction of its holder is open stays with the
 * holder until that has ended: the row is locked by the fence, and skipped here.
 */
export async function takeLeases(
  db: Database,
  owner: string,
  names: readonly string[],
): Promise<HeldLease[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<HeldLease>`
    WITH wanted AS (SELECT unnest(${names.toSorted()}::text[]) COLLATE "C" AS name WHERE ${isOwnVersion}),
      made AS (
        INSERT INTO lease (name, owner, epoch, expires_at)
        SELECT name, ${owner}, 1, ${expiry} FROM wanted ORDER BY name
        ON CONFLICT (name) DO NOTHING RETURNING name, epoch
      ),
      free AS (
        SELECT lease.name FROM lease JOIN wanted ON wanted.name = lease.name
        WHERE ${isFree} ORDER BY lease.name FOR UPDATE OF lease SKIP LOCKED
      ),
      taken AS (
        UPDATE lease SET owner = ${owner}, epoch = lease.epoch + 1, expires_at = ${expiry}
        FROM free WHERE lease.name = free.name RETURNING lease.name, lease.epoch
      )
    SELECT name, epoch FROM made UNION ALL SELECT name, epoch FROM taken
  `.execute(db);
  return rows;
}

/** Renews leases; returns the names of those that were still held in their epoch. */
export async function renewLeases(db: Database, leases: readonly HeldLease[]): Promise<Set<string>> {
  if (leases.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    UPDATE lease SET expires_at = ${expiry} FROM ${asRows(leases)}
    WHERE lease.name = held.name AND lease.epoch = held.epoch AND ${isOwnVersion} RETURNING lease.name
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Lets others take leases at once. */
export async function releaseLeases(db: Database, leases: readonly HeldLease[]): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    UPDATE lease SET expires_at = to_timestamp(0) FROM ${asRows(leases)}
    WHERE lease.name = held.name AND lease.epoch = held.epoch
  `.execute(db);
}

function asRows(leases: readonly HeldLease[]) {
  const names = leases.map(({ name }) => name);
  const epochs = leases.map(({ epoch }) => epoch);
  return sql`unnest(${names}::text[], ${epochs}::bigint[]) AS held (name, epoch)`;
}

/** Returns those of the leases that no process holds. */
export async function findFree(db: Database, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    SELECT wanted.name FROM unnest(${names}::text[]) AS wanted (name)
    LEFT JOIN lease ON lease.name = wanted.name WHERE lease.name IS NULL OR ${isFree}
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Every lease that a process has held, and which one holds it now; null: none. */
export async function listLeases(db: Reader): Promise<{ name: string; owner: string | null }[]> {
  return await db
    .selectFrom(sql<{ name: string }>`lease`.as('lease'))
    .select(['name', sql<string | null>`CASE WHEN ${isFree} THEN NULL ELSE owner END`.as('owner')])
    .orderBy('name')
    .execute();
}
