import type { Client } from '../api/client-types.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Banlist, Server } from '../api/resources.ts';
import type { Ports } from './ports/ports.ts';
import { knownPlayers, type KnownPlayer } from './known-players.ts';

/** Caches the lists for autocompletion. Returns cached data at once and refreshes it in the background. */
export interface AutocompleteCache {
  servers(): Promise<readonly Server[]>;
  banlists(): Promise<readonly Banlist[]>;
  /** Players on a leaderboard, each once. */
  players(): Promise<readonly KnownPlayer[]>;
}

/** Discord sends an autocompletion for each keystroke, so the lists may be this old. */
const freshMs = 30_000;
/** Lists from before a quiet night are not offered: members choose from the first one, before they type. */
const oldMs = 5 * 60_000;
/** How old answers may be that the embedded bot's client has cached. */
const clientCacheMs = 3_200;

/**
 * Only the first call waits for the service, also after a pause, and those right after `revision` has changed. Returns an
 * empty list until the service has answered once. Never rejects.
 */
function cached<T>(
  read: () => Promise<readonly T[]>,
  monotonic: () => number,
  revision = (): number => 0,
): () => Promise<readonly T[]> {
  let entry: { items: readonly T[]; at: number } | null = null;
  let running: Promise<void> | null = null;
  let known = revision();
  /** What was read earlier is from before the last change. */
  let validFrom = -Infinity;
  const refresh = async (): Promise<void> => {
    try {
      entry = { items: await read(), at: monotonic() };
    } catch {
      // The old entry stays. The next call retries.
    } finally {
      running = null;
    }
  };
  return async () => {
    if (revision() !== known) {
      known = revision();
      validFrom = monotonic() + clientCacheMs;
    }
    if (entry !== null && entry.at < validFrom) {
      entry = null;
      await running;
    }
    const ageMs = entry === null ? Infinity : monotonic() - entry.at;
    if (ageMs >= freshMs) running ??= refresh();
    if (ageMs >= oldMs) await running;
    return entry?.items ?? [];
  };
}

/** @param ports without `unlisted`, a change of players takes up to half a minute */
export function createAutocompleteCache(
  client: Client,
  monotonic: () => number,
  ports: Pick<Ports, 'unlisted'> = {},
): AutocompleteCache {
  return {
    servers: cached(async () => (await client.listServers()).data.servers, monotonic),
    banlists: cached(async () => (await client.listBanlists()).data.banlists, monotonic),
    players: cached(
      async () =>
        knownPlayers((await client.listLeaderboards({ limit: leaderboardMaxRows })).data.leaderboards),
      monotonic,
      () => ports.unlisted?.revision() ?? 0,
    ),
  };
}
