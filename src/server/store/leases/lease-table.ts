import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Fence } from '../engine/postgres/transactions.ts';

/** The table `lease` of a PostgreSQL store. Expiry is by the database's clock alone. */

/** A lease in the epoch in which it was taken. Each taking counts the epoch on. */
export type HeldLease = Fence;

/** How long a lease lasts without being renewed. */
export const leaseMs = 10_000;

const expiry = sql`clock_timestamp() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;
/** Expired, or further ahead than any renewal sets it, because the clock was set back. */
const isFree = sql`(lease.expires_at <= clock_timestamp() OR lease.expires_at > ${expiry} + interval '1 second')`;

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
    WITH wanted AS (SELECT unnest(${names.toSorted()}::text[]) COLLATE "C" AS name),
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
    WHERE lease.name = held.name AND lease.epoch = held.epoch RETURNING lease.name
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

/** Who holds how much, and what could be taken. */
export interface LeaseView {
  /** Kind → owner → how many leases. */
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Those of the wanted leases that nobody holds. */
  free: string[];
}

export async function viewLeases(db: Database, wanted: readonly string[]): Promise<LeaseView> {
  const { rows } = await sql<{ name: string; owner: string | null; held: number }>`
    SELECT split_part(name, ':', 1) AS name, owner, count(*) AS held FROM lease
    WHERE NOT ${isFree} GROUP BY 1, 2
    UNION ALL
    SELECT wanted.name, NULL, 0 FROM unnest(${wanted}::text[]) AS wanted (name)
    LEFT JOIN lease ON lease.name = wanted.name WHERE lease.name IS NULL OR ${isFree}
  `.execute(db);
  const counts = new Map<string, Map<string, number>>();
  const free: string[] = [];
  for (const { name, owner, held } of rows) {
    if (owner === null) free.push(name);
    else counts.set(name, (counts.get(name) ?? new Map<string, number>()).set(owner, held));
  }
  return { counts, free };
}

/** Every lease that somebody has held, and by whom it is held now; null: by nobody. */
export async function listLeases(
  db: Pick<Database, 'selectFrom'>,
): Promise<{ name: string; owner: string | null }[]> {
  return await db
    .selectFrom(sql<{ name: string }>`lease`.as('lease'))
    .select(['name', sql<string | null>`CASE WHEN ${isFree} THEN NULL ELSE owner END`.as('owner')])
    .orderBy('name')
    .execute();
}

/** The kind of the leases by which the processes that do some work are counted; each has one of its own name. */
export const memberKind = (kind: string): string => `member-${kind}`;

/** Deletes the rows of processes that ended. Others stay: their epochs must never be given again. */
export async function deleteOldMembers(db: Database): Promise<void> {
  await sql`
    DELETE FROM lease WHERE name LIKE 'member-%' AND expires_at < clock_timestamp() - interval '1 day'
  `.execute(db);
}
