import { setTimeout as delay } from 'node:timers/promises';
import { onlinePlayersCacheMs } from '../../api/operations.ts';
import type { OnlinePlayers } from '../../api/resources.ts';
import { systemClock } from '../../process/clock.ts';
import type { LiveLists } from '../store/cluster/live-lists.ts';
import { QueryError, type QueryServer, type QueryTarget, targetKey } from './query.ts';

/** The players on a server, or why the query failed. */
type OnlineResult = OnlinePlayers | { failure: string };

type ListTarget = QueryTarget & { id: string };

/** A result, and for how long it has been known. */
interface KnownResult {
  result: OnlineResult;
  ageMs: number;
}

/** How several processes share the lists: one queries a server, and the others take what it has stored. */
interface SharedLists {
  lists: LiveLists;
  /** The list as it may be stored: without players who are hidden or forgotten. */
  onlyListed(online: OnlinePlayers, serverId: string): OnlinePlayers;
}

interface OnlineListOptions {
  monotonic?: () => number;
  /** Left out: this process has the store alone. */
  shared?: SharedLists | undefined;
}

/** The latest list of one server, in this process. */
interface CachedList {
  /** The `targetKey` it was asked for with, so that a changed config causes a new query. */
  key: string;
  known: Promise<KnownResult>;
  /** When the query ended, by the monotonic clock; `Infinity` while it runs. */
  endedAt: number;
}

/**
 * Reads the players on a server: concurrent requests share one query, whose result is cached for about five seconds. So are
 * failures, so that a dead server is not queried again at once.
 */
export function createOnlineList(query: QueryServer, options: OnlineListOptions = {}) {
  const { monotonic = systemClock.monotonic, shared } = options;
  const lists = new Map<string, CachedList>();
  const ask = async (server: ListTarget, key: string): Promise<KnownResult> =>
    shared === undefined
      ? { result: await queryOnline(query, server), ageMs: 0 }
      : await askOnceForAll(shared, query, server, key);

  return {
    async read(server: ListTarget): Promise<OnlineResult> {
      const { id } = server;
      const key = targetKey(server);
      const last = lists.get(id);
      if (last?.key === key && monotonic() - last.endedAt < onlinePlayersCacheMs)
        return markedCached((await last.known).result);
      const list: CachedList = { key, endedAt: Infinity, known: ask(server, key) };
      lists.set(id, list);
      try {
        const { result, ageMs } = await list.known;
        list.endedAt = monotonic() - ageMs;
        return result;
      } catch (error) {
        // The store was away, which says nothing of the server.
        lists.delete(id);
        throw error;
      }
    },
  };
}

const markedCached = (result: OnlineResult): OnlineResult =>
  'failure' in result ? result : { ...result, cached: true };

/** A process that has not answered by then is taken to have ended: a query takes at most about ten seconds. */
const patienceMs = 15_000;
const checkEveryMs = 150;

/** Queries a server for all processes, or waits for the result of the one that does. @param target the server's `targetKey` */
async function askOnceForAll(
  { lists, onlyListed }: SharedLists,
  query: QueryServer,
  server: ListTarget,
  target: string,
): Promise<KnownResult> {
  for (;;) {
    const state = await lists.claim(server.id, { target, freshMs: onlinePlayersCacheMs, patienceMs });
    if (state.kind === 'answered')
      return { result: markedCached(JSON.parse(state.answer) as OnlineResult), ageMs: state.ageMs };
    if (state.kind === 'claimed') {
      const found = await queryOnline(query, server);
      const result = 'failure' in found ? found : onlyListed(found, server.id);
      await lists.save(server.id, state.claim, JSON.stringify(result));
      return { result, ageMs: 0 };
    }
    await delay(checkEveryMs);
  }
}

async function queryOnline(query: QueryServer, server: ListTarget): Promise<OnlineResult> {
  const result = await query(server).catch((error: unknown) => {
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
