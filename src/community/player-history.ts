import type { Config } from '../config/schema.ts';
import type { PlayerHistory } from '../embeds/chart/series.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { listSampleBuckets } from '../server/store/repositories/projects/history.ts';
import { serverOf } from '../config/config-index.ts';

/** The stored samples, with each server's configured time zone. */
export function createPlayerHistory(db: Reader, config: () => Config): PlayerHistory {
  return async (serverId, from, to, stepMs) => {
    const timezone = serverOf(config(), serverId)?.server.timezone ?? 'UTC';
    return { timezone, buckets: await listSampleBuckets(db, serverId, { from, to, stepMs }) };
  };
}
