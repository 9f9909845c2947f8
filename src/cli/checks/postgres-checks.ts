import { leaseHolders } from '../../server/store/cluster/lease-holders.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { inspectPostgres } from '../../server/store/engine/postgres/inspect.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import { sizeText } from '../output.ts';
import { about, inTwo, type Finding } from './finding.ts';

/** Whether the store on PostgreSQL answers, and is of this version. */
export async function checkPostgres(storeUrl: string): Promise<Finding[]> {
  const report = about('OUTPOST_STORE_URL', shownUrl(storeUrl));
  try {
    const { version, size, isNew } = await inspectPostgres(storeUrl);
    if (isNew) return [report('postgres.new', { version })];
    return [report('postgres.answers', { version, size: sizeText(size) })];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [report('store.unusable', inTwo(error.message, 'docs/processes.md says more'))];
  }
}

/** The processes that share the store, and the work that each holds. */
export async function listProcesses(db: Reader): Promise<Finding[]> {
  const holders = await leaseHolders(db);
  if (holders.length === 0) return [about('processes', 'OUTPOST_STORE_URL')('processes.none')];
  return holders.map(({ owner, leases }) => {
    const report = about('process', owner);
    return leases.length === 0
      ? report('process.idle')
      : report('process.holds', { leases: leases.join(', ') });
  });
}
