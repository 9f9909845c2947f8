import { systemClock } from '../../process/clock.ts';
import { targetKey, type QueryServer, type QueryTarget, type QueryResult } from './query.ts';

/** The latest result of each game server, whichever part requested it. */
export interface LatestResults {
  query: QueryServer;
  /** Null: no result within `maxAgeMs`, or the last query failed. */
  of(target: QueryTarget, maxAgeMs: number): QueryResult | null;
}

export function keepLatestResults(query: QueryServer, monotonic = systemClock.monotonic): LatestResults {
  const answers = new Map<string, { result: QueryResult; at: number }>();
  return {
    async query(target) {
      const key = targetKey(target);
      try {
        const result = await query(target);
        answers.set(key, { result, at: monotonic() });
        return result;
      } catch (error) {
        answers.delete(key);
        throw error;
      }
    },
    of(target, maxAgeMs) {
      const answer = answers.get(targetKey(target));
      return answer === undefined || monotonic() - answer.at > maxAgeMs ? null : answer.result;
    },
  };
}
