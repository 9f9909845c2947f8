import { type RawBuilder, sql } from 'kysely';
import type { HeldLease } from '../../../process/leases.ts';
import { within } from '../../../process/time-limit.ts';
import type { Database, Reader } from '../engine/database.ts';
import { StoreUnavailable } from '../engine/error.ts';
import { migrations } from '../engine/migrations.ts';

/** How long a lease lasts without being renewed. */
export const leaseMs = 10_000;
/** A statement that takes longer counts as failed. */
export const answerMs = 2_500;

const now = sql`clock_timestamp()`;
const expiry = sql`clock_timestamp() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;
/** Once a newer version has changed the store, this one leaves all work to processes of that version. */
const isOwnVersion = sql`
  (SELECT max(name) FROM kysely_migration) <= ${sql.lit(Object.keys(migrations.postgres).toSorted().at(-1))}
`;

/**
 * The statements of a process on `lease` and `lease_candidate` of a PostgreSQL store, by the database's clock alone. A row of
 * `lease` is a lease that some process has wanted; it is free once `expires_at` has passed. A row of `lease_candidate` is a
 * process that wants a set of leases.
 */
export class LeaseTable {
  readonly #db: Database;
  readonly #owner: string;

  /** @param db its statements must not wait for other writers @param owner a unique name of the process */
  constructor(db: Database, owner: string) {
    this.#db = db;
    this.#owner = owner;
  }

  /** @throws StoreUnavailable when the store does not answer in time */
  async #execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    const result = await within(statement.execute(this.#db), answerMs);
    if (result === 'late') throw new StoreUnavailable(`the store has not answered within ${answerMs} ms`);
    return result.rows;
  }

  /** Makes leases known that nobody has wanted before. They are free. */
  async create(names: readonly string[]): Promise<void> {
    await this.#execute(sql`
      INSERT INTO lease (name, owner, epoch, expires_at)
      SELECT unnest(${names.toSorted()}::text[]), '', 0, to_timestamp(0)
      ON CONFLICT (name) DO NOTHING
    `);
  }

  /**
   * Takes up to `most` of those leases that are free. One that expired while a transaction of its holder is open stays with the
   * holder until that has ended: the transaction has locked the row, which is skipped here.
   */
  async take(names: readonly string[], most: number): Promise<HeldLease[]> {
    return await this.#execute(sql<HeldLease>`
      WITH free AS (
        SELECT name FROM lease
        WHERE name = ANY(${names}::text[]) AND expires_at <= ${now} AND ${isOwnVersion}
        LIMIT ${most} FOR UPDATE SKIP LOCKED
      )
      UPDATE lease SET owner = ${this.#owner}, epoch = epoch + 1, expires_at = ${expiry}
      FROM free WHERE lease.name = free.name
      RETURNING lease.name, lease.epoch
    `);
  }

  /** Renews those of the leases that no other process has taken. @returns them, with their epochs */
  async renew(names: readonly string[]): Promise<HeldLease[]> {
    return await this.#execute(sql<HeldLease>`
      UPDATE lease SET expires_at = ${expiry}
      WHERE name = ANY(${names}::text[]) AND owner = ${this.#owner} AND ${isOwnVersion}
      RETURNING name, epoch
    `);
  }

  /** Lets others take leases at once. */
  async release(names: readonly string[]): Promise<void> {
    await this.#execute(sql`
      UPDATE lease SET expires_at = to_timestamp(0) WHERE name = ANY(${names}::text[]) AND owner = ${this.#owner}
    `);
  }

  /** Says that the process is alive and wants these sets of leases, and deletes candidates that are not alive any more. */
  async announce(wanted: readonly string[]): Promise<void> {
    await this.#execute(sql`DELETE FROM lease_candidate WHERE expires_at <= ${now}`);
    await this.#execute(sql`
      INSERT INTO lease_candidate (owner, wanted, expires_at)
      SELECT ${this.#owner}, unnest(${wanted}::text[]), ${expiry} WHERE ${isOwnVersion}
      ON CONFLICT (owner, wanted) DO UPDATE SET expires_at = excluded.expires_at
    `);
  }

  /** How many processes that are alive want each set of leases. */
  async countCandidates(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#execute(sql<{ wanted: string; processes: number }>`
      SELECT wanted, count(*) AS processes FROM lease_candidate WHERE expires_at > ${now} GROUP BY wanted
    `);
    return new Map(rows.map(({ wanted, processes }) => [wanted, processes]));
  }

  /** When the process stops: lets others take all of its leases at once, and share them among themselves. */
  async releaseAll(): Promise<void> {
    await this.#execute(sql`DELETE FROM lease_candidate WHERE owner = ${this.#owner}`);
    await this.#execute(sql`UPDATE lease SET expires_at = to_timestamp(0) WHERE owner = ${this.#owner}`);
  }
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
