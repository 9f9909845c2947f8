import { CompiledQuery, sql } from 'kysely';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { SharedStore } from '../engine/connections.ts';

/** The requests of a key in its present window. */
interface CountedRequests {
  requests: number;
  /** Until the window ends; the whole window when none is counted. */
  resetMs: number;
}

export type RequestLimits = ReturnType<typeof createRequestLimits>;

/** The counts of requests that all processes share. All but `sweep` reject with `StoreUnavailable` while the store is away. */
export function createRequestLimits({ unlocked }: Pick<SharedStore, 'unlocked'>) {
  const windows = new RateLimiterPostgres({
    // The store's connections say what failed.
    storeClient: {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const { rows } = await unlocked.executeQuery(CompiledQuery.raw(text, values));
        return { rows, rowCount: rows.length };
      },
    },
    storeType: 'client',
    tableName: 'request_limit',
    tableCreated: true,
    keyPrefix: '',
    // Each key has a quota and a window of its own.
    points: 0,
    duration: 0,
    // By timers of its own, which nothing stops.
    clearExpiredByTimeout: false,
  });
  return {
    /** Counts a request. A window begins with its first one. */
    async count(key: string, windowSeconds: number): Promise<CountedRequests> {
      const counted = await windows.penalty(key, 1, { customDuration: windowSeconds });
      return { requests: counted.consumedPoints, resetMs: counted.msBeforeNext };
    },
    async read(key: string, windowSeconds: number): Promise<CountedRequests> {
      const counted = await windows.get(key);
      return {
        requests: counted?.consumedPoints ?? 0,
        resetMs: counted?.msBeforeNext ?? windowSeconds * 1000,
      };
    },
    /** Deletes windows that have ended. */
    async sweep(): Promise<void> {
      await sql`DELETE FROM request_limit WHERE expire < ${Date.now()}`.execute(unlocked);
    },
  };
}
