import { systemClock } from '../../process/clock.ts';
import { targetKey, type QueryServer, type QueryTarget, type QueryResult } from './query.ts';

export interface LatestResults {
  query: QueryServer;
  /** Null: no result within `maxAgeMs`, or the last query failed. */
  of(target: QueryTarget, maxAgeMs: number): QueryResult | null;
}

/** Queries game servers, and keeps the latest result of each, whichever part of Outpost asked for it. */
export function keepLatestResults(query: QueryServer, monotonic = systemClock.monotonic): LatestResults {
  const latest = new Map<string, { result: QueryResult; at: number }>();
  return {
    async query(target) {
      const key = targetKey(target);
      try {
        const result = await query(target);
        latest.set(key, { result, at: monotonic() });
        return result;
      } catch (error) {
        latest.delete(key);
        throw error;
      }
    },
    of(target, maxAgeMs) {
      const found = latest.get(targetKey(target));
      return found === undefined || monotonic() - found.at > maxAgeMs ? null : found.result;
    },
  };
}
