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

export async function trustHost(db: Database, address: string, fingerprint: string): Promise<void> {
  await upsert(db, { table: 'trusted_host', key: ['address'] }, [{ address, fingerprint }]);
}

/** How owners accept another key of a host, as part of a sentence. */
export const howToAccept = 'accept it with "outpost source trust" and the id of the server';

/** The hosts that an installation trusts, as whoever connects to them asks for them. */
export const knownHostsInStore = (db: Database): KnownHosts => ({
  howToAccept,
  find: async (address) => await findTrustedHost(db, address),
  async trust(address, fingerprint) {
    // Of two processes that meet a host at once, the first decides.
    await upsert(db, { table: 'trusted_host', key: ['address'], set: null }, [{ address, fingerprint }]);
    return (await findTrustedHost(db, address)) ?? fingerprint;
  },
});
