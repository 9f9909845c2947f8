import { onlinePlayersCacheMs } from '../../api/operations.ts';
import type { OnlinePlayers } from '../../api/resources.ts';
import { systemClock } from '../../process/clock.ts';
import type { QueryServer, QueryTarget } from './query.ts';

/** Reads who is on a server: one query at a time per server, its outcome kept for about five seconds. */
export interface OnlineList {
  /** Rejects with a `QueryError` when the server could not be asked, now or within the last seconds. */
  read(target: QueryTarget & { id: string }): Promise<OnlinePlayers>;
}

interface Entry {
  /** What was asked: a changed config asks anew. */
  key: string;
  outcome: Promise<OnlinePlayers>;
  /** By the monotonic clock; null while the query runs. */
  endedAt: number | null;
}

/** Parallel requests share one query; failures are kept too, so that a dead server is not asked again at once. */
export function createOnlineList(query: QueryServer, monotonic = systemClock.monotonic): OnlineList {
  const entries = new Map<string, Entry>();

  return {
    async read({ id, game, host, port, queryPort }) {
      const target = { game, host, port, queryPort };
      const key = JSON.stringify(target);
      const known = entries.get(id);
      const isFresh =
        known?.key === key && (known.endedAt === null || monotonic() - known.endedAt < onlinePlayersCacheMs);
      if (isFresh) {
        return { ...(await known.outcome), cached: true };
      }
      const entry: Entry = { key, endedAt: null, outcome: queryOnline(query, target) };
      entries.set(id, entry);
      try {
        return await entry.outcome;
      } finally {
        entry.endedAt = monotonic();
      }
    },
  };
}

async function queryOnline(query: QueryServer, target: QueryTarget): Promise<OnlinePlayers> {
  const reading = await query(target);
  const players = reading.listed.flatMap(({ steamId64, name }) =>
    steamId64 === null || name === null ? [] : [{ steamId64, name }],
  );
  return {
    online: reading.players,
    listedPlayers: reading.listed.length,
    players,
    incompletePlayers: reading.listed.length - players.length,
    observedAt: new Date(reading.observedAt).toISOString(),
    source: 'GAMEDIG',
    cached: false,
  };
}
