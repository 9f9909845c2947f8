import { sql } from 'kysely';
import type { Database, Reader } from '../engine/database.ts';
import { migrations } from '../engine/migrations.ts';
import type { HeldLease } from '../../../process/leases.ts';

/**
 * The statements on `lease` and `lease_candidate` of a PostgreSQL store, by the database's clock alone. A row of `lease` is a
 * lease that some process has wanted; it is free once `expires_at` has passed. A row of `lease_candidate` is a process that
 * wants a set of leases.
 */

/** How long a lease lasts without being renewed. */
export const leaseMs = 10_000;

const now = sql`clock_timestamp()`;
const expiry = sql`clock_timestamp() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;
/** Once a newer version has changed the store, this one leaves all work to processes of that version. */
const isOwnVersion = sql`
  (SELECT max(name) FROM kysely_migration) <= ${sql.lit(Object.keys(migrations.postgres).toSorted().at(-1))}
`;

/** Makes leases known that nobody has wanted before. They are free. */
export async function createLeases(db: Database, names: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO lease (name, owner, epoch, expires_at)
    SELECT unnest(${names.toSorted()}::text[]), '', 0, to_timestamp(0)
    ON CONFLICT (name) DO NOTHING
  `.execute(db);
}

/**
 * Takes up to `most` of those leases that are free. One that expired while a transaction of its holder is open stays with the
 * holder until that has ended: the transaction has locked the row, which is skipped here.
 */
export async function takeLeases(
  db: Database,
  owner: string,
  names: readonly string[],
  most: number,
): Promise<HeldLease[]> {
  const { rows } = await sql<HeldLease>`
    WITH free AS (
      SELECT name FROM lease
      WHERE name = ANY(${names}::text[]) AND expires_at <= ${now} AND ${isOwnVersion}
      LIMIT ${most} FOR UPDATE SKIP LOCKED
    )
    UPDATE lease SET owner = ${owner}, epoch = epoch + 1, expires_at = ${expiry}
    FROM free WHERE lease.name = free.name
    RETURNING lease.name, lease.epoch
  `.execute(db);
  return rows;
}

/** Renews those of the leases that no other process has taken. @returns them, with their epochs */
export async function renewLeases(
  db: Database,
  owner: string,
  names: readonly string[],
): Promise<HeldLease[]> {
  const { rows } = await sql<HeldLease>`
    UPDATE lease SET expires_at = ${expiry}
    WHERE name = ANY(${names}::text[]) AND owner = ${owner} AND ${isOwnVersion}
    RETURNING name, epoch
  `.execute(db);
  return rows;
}

/** Lets others take leases at once. */
export async function releaseLeases(db: Database, owner: string, names: readonly string[]): Promise<void> {
  await sql`
    UPDATE lease SET expires_at = to_timestamp(0) WHERE name = ANY(${names}::text[]) AND owner = ${owner}
  `.execute(db);
}

/** Says that a process is alive and wants these sets of leases, and deletes candidates that are not alive any more. */
export async function announceCandidate(
  db: Database,
  owner: string,
  wanted: readonly string[],
): Promise<void> {
  await sql`DELETE FROM lease_candidate WHERE expires_at <= ${now}`.execute(db);
  await sql`
    INSERT INTO lease_candidate (owner, wanted, expires_at)
    SELECT ${owner}, unnest(${wanted}::text[]), ${expiry} WHERE ${isOwnVersion}
    ON CONFLICT (owner, wanted) DO UPDATE SET expires_at = excluded.expires_at
  `.execute(db);
}

/** How many processes that are alive want each set of leases. */
export async function countCandidates(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ wanted: string; processes: number }>`
    SELECT wanted, count(*) AS processes FROM lease_candidate WHERE expires_at > ${now} GROUP BY wanted
  `.execute(db);
  return new Map(rows.map(({ wanted, processes }) => [wanted, processes]));
}

/** For a process that stops: lets others take all of its leases at once, and share them among themselves. */
export async function releaseAll(db: Database, owner: string): Promise<void> {
  await sql`DELETE FROM lease_candidate WHERE owner = ${owner}`.execute(db);
  await sql`UPDATE lease SET expires_at = to_timestamp(0) WHERE owner = ${owner}`.execute(db);
}

/** A process that shares the store on PostgreSQL, and the names of the leases that it holds. */
interface LeaseHolder {
  /** `<host>:<pid> <roles> since <time of its start>` */
  owner: string;
  leases: string[];
}

/** The processes that share a store on PostgreSQL; those that hold no lease as well. */
export async function leaseHolders(db: Reader): Promise<LeaseHolder[]> {
  const { rows } = await sql<LeaseHolder>`
    SELECT owner, coalesce(json_agg(name ORDER BY name) FILTER (WHERE name IS NOT NULL), '[]') AS leases
    FROM (
      SELECT owner, NULL AS name, expires_at FROM lease_candidate UNION ALL SELECT owner, name, expires_at FROM lease
    ) AS known
    WHERE expires_at > ${now} GROUP BY owner ORDER BY owner
  `.execute(db as Database);
  return rows;
}
