import type { Database, Reader } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';

/** The trusted fingerprint of a host of remote files; null: the host is unknown. */
export async function findTrustedHost(db: Reader, address: string): Promise<string | null> {
  const row = await db
    .selectFrom('trusted_host')
    .select('fingerprint')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.fingerprint ?? null;
}

/** Trusts a host by this fingerprint from now on. */
export async function trustHost(
  db: Database,
  address: string,
  fingerprint: string,
  now: number,
): Promise<void> {
  const row = { address, fingerprint, trusted_at: now };
  await upsert(db, { table: 'trusted_host', key: ['address'] }, [row]);
}

/**
 * Trusts a host that is unknown so far. Of two processes that meet it at once, the first decides.
 * @returns the trusted fingerprint
 */
export async function trustNewHost(
  db: Database,
  address: string,
  fingerprint: string,
  now: number,
): Promise<string> {
  const row = { address, fingerprint, trusted_at: now };
  await upsert(db, { table: 'trusted_host', key: ['address'], set: null }, [row]);
  return (await findTrustedHost(db, address)) ?? fingerprint;
}

/** The hosts that an installation trusts, as whoever connects to them asks for them. */
export function trustInStore(db: Database, now: () => number) {
  return {
    find: async (address: string) => await findTrustedHost(db, address),
    trust: async (address: string, fingerprint: string) =>
      await trustNewHost(db, address, fingerprint, now()),
  };
}
