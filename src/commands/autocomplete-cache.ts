import { LRUCache } from 'lru-cache';
import type { Client } from '../api/client-types.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Banlist, Server } from '../api/resources.ts';
import { knownPlayers, type KnownPlayer } from './known-players.ts';

/** The lists for autocompletion, empty until the service has answered once. None rejects. */
export interface AutocompleteCache {
  servers(): Promise<readonly Server[]>;
  banlists(): Promise<readonly Banlist[]>;
  /** Players on a leaderboard, each once. Kept by the client alone, so that one who is hidden is gone within seconds. */
  players(): Promise<readonly KnownPlayer[]>;
}

/** Discord sends an autocompletion for each keystroke, so the lists may be this old. */
const freshMs = 30_000;
/** Lists from before a quiet night are not offered: members choose from the first one, before they type. */
const oldMs = 5 * 60_000;

/** Gives the last list at once, and reads it anew behind the back of who types. Keeps it while the service gives no answer. */
function kept<T>(read: () => Promise<readonly T[]>, monotonic: () => number): () => Promise<readonly T[]> {
  const lists = new LRUCache<'list', readonly T[]>({
    max: 1,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now: monotonic },
    allowStaleOnFetchRejection: true,
    fetchMethod: read,
  });
  return async () => {
    const allowStale = freshMs - lists.getRemainingTTL('list') < oldMs;
    return (await lists.fetch('list', { allowStale }).catch(() => undefined)) ?? [];
  };
}

export function createAutocompleteCache(client: Client, monotonic: () => number): AutocompleteCache {
  return {
    servers: kept(async () => (await client.listServers()).data.servers, monotonic),
    banlists: kept(async () => (await client.listBanlists()).data.banlists, monotonic),
    async players() {
      const answer = await client.listLeaderboards({ limit: leaderboardMaxRows }).catch(() => null);
      return answer === null ? [] : knownPlayers(answer.data.leaderboards);
    },
  };
}
