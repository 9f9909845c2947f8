import { LRUCache } from 'lru-cache';
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

/** Members choose some of the servers, so there is a limit. */
const mostServers = 10_000;

export function keepLatestResults(query: QueryServer, monotonic = systemClock.monotonic): LatestResults {
  /** The result is null when the last query failed. */
  const answers = new LRUCache<string, { result: QueryResult | null; observedAt: number; at: number }>({
    max: mostServers,
  });
  // Who reads a result knows the server's address, and not whether a member added it.
  const keyOf = (target: QueryTarget): string => targetKey({ ...target, fromDiscord: false });
  return {
    async query(target) {
      const key = keyOf(target);
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
    lastAnswerAt: (target) => answers.get(keyOf(target))?.observedAt ?? null,
    of(target, maxAgeMs) {
      const answer = answers.get(keyOf(target));
      return answer === undefined || monotonic() - answer.at > maxAgeMs ? null : answer.result;
    },
  };
}
