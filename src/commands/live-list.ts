import type { Answer } from '../api/client-types.ts';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import { within } from '../process/time-limit.ts';
import type { CommandContext } from './command.ts';
import { isRefusal } from './refusals.ts';

/** How long to wait for a list that is not cached. */
const longestWaitMs = 2_000;

interface LiveList extends Answer<OnlinePlayers> {
  /** Only the player count is known, not the players. */
  countOnly: boolean;
}

/**
 * Reads the players of a server. All members share the service's limit for this list. If the limit is reached, or the game
 * server is slow, returns the result of the latest check instead; a late list is cached for the next call. So it does for
 * a server without a query port that the latest check found online, as on consoles.
 * Null: the server did not answer its latest check either.
 * @throws errors of the client, except for these.
 */
export async function readLiveList(
  { client, community, now }: Pick<CommandContext, 'client' | 'community' | 'now'>,
  server: Server,
): Promise<LiveList | null> {
  const isOnline = server.status === 'ONLINE';
  const asked = client.listOnlinePlayers({ serverId: server.id }).catch((error: unknown) => {
    if (isRefusal(error, 'rate_limited')) return 'late' as const;
    if (isOnline && isRefusal(error, 'data_source_not_configured')) return null;
    throw error;
  });
  const answer = await within(asked, longestWaitMs);
  if (answer !== null && answer !== 'late') return { ...answer, countOnly: false };
  if (!isOnline) return null;

  const live = community.live(server.id);
  const checkedAt = server.checkedAt === null ? now : Date.parse(server.checkedAt);
  const listed = live?.sessions.length ?? 0;
  const data: OnlinePlayers = {
    online: server.players,
    listedPlayers: listed,
    players: [],
    incompletePlayers: listed,
    observedAt: new Date(live?.observedAt ?? checkedAt).toISOString(),
    source: 'GAMEDIG',
    cached: true,
  };
  return { data, receivedAt: now, stale: false, countOnly: live === null && answer === 'late' };
}
