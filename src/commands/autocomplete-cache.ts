import type { Client } from '../api/client-types.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Banlist, Server } from '../api/resources.ts';
import { knownPlayers, type KnownPlayer } from './known-players.ts';

/**
 * What is offered to members while they type. It answers at once with what it knows and renews that behind their back,
 * since Discord waits for an autocompletion no longer than for any answer, and asks at every letter.
 */
export interface AutocompleteCache {
  servers(): Promise<readonly Server[]>;
  banlists(): Promise<readonly Banlist[]>;
  /** Players who stand on a leaderboard, each once. */
  players(): Promise<readonly KnownPlayer[]>;
}

/** Who types asks for a whole list at every letter; a new server or player may be half a minute late there. */
const freshMs = 30_000;

/** Never rejects; the first asker waits for the service, and while that gives nothing, there is nothing. */
function remembered<T>(
  read: () => Promise<readonly T[]>,
  monotonic: () => number,
): () => Promise<readonly T[]> {
  let known: { items: readonly T[]; at: number } | null = null;
  let running: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    try {
      known = { items: await read(), at: monotonic() };
    } catch {
      // What is known stays; the next asker makes the next attempt.
    } finally {
      running = null;
    }
  };
  return async () => {
    if (known === null || monotonic() - known.at >= freshMs) running ??= renew();
    if (known === null) await running;
    return known?.items ?? [];
  };
}

export function createAutocompleteCache(client: Client, monotonic: () => number): AutocompleteCache {
  return {
    servers: remembered(async () => (await client.listServers()).data.servers, monotonic),
    banlists: remembered(async () => (await client.listBanlists()).data.banlists, monotonic),
    players: remembered(
      async () =>
        knownPlayers((await client.listLeaderboards({ limit: leaderboardMaxRows })).data.leaderboards),
      monotonic,
    ),
  };
}
