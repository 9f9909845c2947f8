import type { Config } from '../../config/schema.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { refusedIds } from '../../server/store/repositories/projects/reconcile.ts';
import { about, type Finding, inTwo } from './finding.ts';

/** Ids for which the service would refuse to start. */
export async function checkStoredIds(config: Config, db: Reader): Promise<Finding[]> {
  const refused = await refusedIds(db, config);
  return refused.map(({ id, reason }) => about(id, 'the store').wrong(...inTwo(reason, 'choose another id')));
}
