import { openReader } from '../../../server/store/engine/database.ts';
import { leaseHolders } from '../../../server/store/cluster/lease-holders.ts';
import { shownUrl } from '../../../server/store/engine/postgres/url.ts';
import { about, type Finding } from '../finding.ts';
import { isUnread } from '../../open-store.ts';

/** The processes that share a store on PostgreSQL, and the leases that each holds. */
export async function checkProcesses(storeUrl: string | undefined): Promise<Finding[]> {
  if (storeUrl === undefined) return [];
  const reader = openReader(storeUrl);
  try {
    const holders = await leaseHolders(reader.db);
    if (holders.length === 0) return [about('processes', shownUrl(storeUrl)).good('none is running')];
    return holders.map(({ owner, leases }) =>
      about('processes', owner).good(leases.length === 0 ? 'holds no lease' : `holds ${leases.join(', ')}`),
    );
  } catch (error) {
    // The check of the store says so.
    if (isUnread(error)) return [];
    throw error;
  } finally {
    await reader.close();
  }
}
