import { sql } from 'kysely';
import type { Reader } from '../engine/database.ts';

/** A process that shares the store on PostgreSQL, and the names of the leases that it holds. */
export interface LeaseHolder {
  /** `<host>:<pid> <roles> since <time of its start>` */
  owner: string;
  leases: string[];
}

/** The processes that share a store on PostgreSQL; those that hold no lease as well. */
export async function leaseHolders(db: Reader): Promise<LeaseHolder[]> {
  const candidates = await db
    .selectFrom(sql<{ owner: string }>`lease_candidate`.as('lease_candidate'))
    .select('owner')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .execute();
  const held = await db
    .selectFrom(sql<{ name: string; owner: string }>`lease`.as('lease'))
    .select(['name', 'owner'])
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .orderBy('name')
    .execute();
  const owners = new Set([...candidates, ...held].map(({ owner }) => owner));
  return [...owners].toSorted().map((owner) => {
    const leases = held.flatMap((lease) => (lease.owner === owner ? [lease.name] : []));
    return { owner, leases };
  });
}
