import type { Config } from '../config/schema.ts';
import type { HistoryBucket, PlayerHistory } from '../embeds/chart/history.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { listSampleBuckets } from '../server/store/repositories/projects/history.ts';
import { serverOf } from '../config/config-index.ts';

/** The stored samples, with each server's configured time zone. */
export function createPlayerHistory(db: Reader, config: () => Config): PlayerHistory {
  return async (serverId, from, to, stepMs) => {
    const timezone = serverOf(config(), serverId)?.server.timezone ?? 'UTC';
    const buckets = await listSampleBuckets(db, serverId, { from, to, stepMs });
    return {
      timezone,
      buckets: filled(buckets, { to, stepMs, periodMs: 1_000 * config().live.pollSeconds }),
    };
  };
}

/** Where servers are checked less often than once a step, the steps up to the next check are as the last one found them. */
function filled(
  buckets: readonly HistoryBucket[],
  { to, stepMs, periodMs }: { to: number; stepMs: number; periodMs: number },
): HistoryBucket[] {
  // From one check to the next, should that be a little late.
  const mostSteps = Math.floor(periodMs / stepMs) + 1;
  return buckets.flatMap((bucket, index) => {
    const next = buckets[index + 1];
    const steps = ((next?.at ?? Math.ceil(to / stepMs) * stepMs) - bucket.at) / stepMs;
    const length = next === undefined ? Math.min(steps, mostSteps) : steps > mostSteps ? 1 : steps;
    return Array.from({ length }, (_, step) => ({ ...bucket, at: bucket.at + step * stepMs }));
  });
}
