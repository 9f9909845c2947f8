import { systemClock } from '../../process/clock.ts';
import { targetKey, type QueryServer, type QueryTarget, type QueryResult } from './query.ts';

/** The latest result of each game server, whichever part requested it. */
export interface LatestResults {
  query: QueryServer;
  /** Null: no result within `maxAgeMs`, or the last query failed. */
  of(target: QueryTarget, maxAgeMs: number): QueryResult | null;
  /** When the server last answered, epoch milliseconds; null: not since the start. */
  lastAnswerAt(target: QueryTarget): number | null;
}

export function keepLatestResults(query: QueryServer, monotonic = systemClock.monotonic): LatestResults {
  /** The result is null when the last query failed. */
  const answers = new Map<string, { result: QueryResult | null; observedAt: number; at: number }>();
  return {
    async query(target) {
      const key = targetKey(target);
      try {
        const result = await query(target);
        answers.set(key, { result, observedAt: result.observedAt, at: monotonic() });
        return result;
      } catch (error) {
        const answer = answers.get(key);
        if (answer !== undefined) answer.result = null;
        throw error;
      }
    },
    lastAnswerAt: (target) => answers.get(targetKey(target))?.observedAt ?? null,
    of(target, maxAgeMs) {
      const answer = answers.get(targetKey(target));
      return answer === undefined || monotonic() - answer.at > maxAgeMs ? null : answer.result;
    },
  };
}
