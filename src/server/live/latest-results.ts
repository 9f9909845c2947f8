import { systemClock } from '../../process/clock.ts';
import type { QueryServer, QueryTarget, QueryResult } from './query.ts';

/** The latest result of each game server, whichever part requested it. */
export interface LatestResults {
  query: QueryServer;
  /** Null: no result within `maxAgeMs`, or the last query failed. */
  of(target: QueryTarget, maxAgeMs: number): QueryResult | null;
  /** When the server last answered, epoch milliseconds; null: not since the start. */
  lastAnswerAt(target: QueryTarget): number | null;
}

export function keepLatestResults(query: QueryServer, monotonic = systemClock.monotonic): LatestResults {
  const results = new Map<string, { result: QueryResult; at: number }>();
  const answers = new Map<string, number>();
  const keyOf = ({ game, host, port, queryPort }: QueryTarget): string =>
    JSON.stringify([game, host, port, queryPort]);
  return {
    async query(target) {
      const key = keyOf(target);
      try {
        const result = await query(target);
        results.set(key, { result, at: monotonic() });
        answers.set(key, result.observedAt);
        return result;
      } catch (error) {
        results.delete(key);
        throw error;
      }
    },
    lastAnswerAt: (target) => answers.get(keyOf(target)) ?? null,
    of(target, maxAgeMs) {
      const known = results.get(keyOf(target));
      return known === undefined || monotonic() - known.at > maxAgeMs ? null : known.result;
    },
  };
}
