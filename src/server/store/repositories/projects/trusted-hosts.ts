import type { KnownHosts } from 'game-files';
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
async function trustNewHost(
  db: Database,
  address: string,
  fingerprint: string,
  now: number,
): Promise<string> {
  const row = { address, fingerprint, trusted_at: now };
  await upsert(db, { table: 'trusted_host', key: ['address'], set: null }, [row]);
  return (await findTrustedHost(db, address)) ?? fingerprint;
}

/** How owners accept another key of a host, as part of a sentence. */
export const howToAccept = 'accept it with "outpost source trust" and the id of the server';

/** The hosts that an installation trusts, as whoever connects to them asks for them. */
export function knownHostsInStore(db: Database, now: () => number): KnownHosts {
  return {
    howToAccept,
    find: async (address) => await findTrustedHost(db, address),
    trust: async (address, fingerprint) => await trustNewHost(db, address, fingerprint, now()),
  };
}
