import { onlinePlayersCacheMs } from '../../api/operations.ts';
import type { OnlinePlayers } from '../../api/resources.ts';
import { systemClock } from '../../process/clock.ts';
import { QueryError, type QueryServer, type QueryTarget } from './query.ts';

/** The players on a server, or why the query failed. */
export type OnlineResult = OnlinePlayers | { failure: string };

/** Reads the players on a server: one query at a time per server, with the result cached for about five seconds. */
export interface OnlineList {
  read(target: QueryTarget & { id: string }): Promise<OnlineResult>;
}

interface Entry {
  /** Identifies the query target, so that a changed config causes a new query. */
  key: string;
  result: Promise<OnlineResult>;
  /** By the monotonic clock; null while the query runs. */
  endedAt: number | null;
}

/**
 * Concurrent requests share one query. Failures are cached too, so that a dead server is not queried again at once.
 */
export function createOnlineList(query: QueryServer, monotonic = systemClock.monotonic): OnlineList {
  const entries = new Map<string, Entry>();

  return {
    async read(server) {
      const { id, game, host, port, queryPort, fromDiscord } = server;
      const target: QueryTarget = { game, host, port, queryPort, fromDiscord };
      const key = JSON.stringify(target);
      const known = entries.get(id);
      const isFresh =
        known?.key === key && (known.endedAt === null || monotonic() - known.endedAt < onlinePlayersCacheMs);
      if (isFresh) {
        const result = await known.result;
        return 'failure' in result ? result : { ...result, cached: true };
      }
      const entry: Entry = { key, endedAt: null, result: queryOnline(query, target) };
      entries.set(id, entry);
      try {
        return await entry.result;
      } finally {
        entry.endedAt = monotonic();
      }
    },
  };
}

async function queryOnline(query: QueryServer, target: QueryTarget): Promise<OnlineResult> {
  const result = await query(target).catch((error: unknown) => {
    if (error instanceof QueryError) return error;
    throw error;
  });
  if (result instanceof QueryError) return { failure: result.message };
  const players = result.listed.flatMap(({ steamId64, name }) =>
    steamId64 === null || name === null ? [] : [{ steamId64, name }],
  );
  return {
    online: result.players,
    listedPlayers: result.listed.length,
    players,
    incompletePlayers: result.listed.length - players.length,
    observedAt: new Date(result.observedAt).toISOString(),
    source: 'GAMEDIG',
    cached: false,
  };
}
