import { ServiceError, type Answer } from '../api/client-types.ts';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { CommandContext } from './command.ts';

/** How long a member waits for a list that is not at hand. */
const longestWaitMs = 2_000;

export interface LiveList extends Answer<OnlinePlayers> {
  /** Not a list but what else is known of the server: its players are not told one by one. */
  countOnly: boolean;
}

const isLimit = (error: unknown): boolean => error instanceof ServiceError && error.code === 'rate_limited';

/**
 * Who is on a server. All members of all guilds share the service's limit of lists; where it is spent, or the game server
 * takes long, what the latest check told stands in. The list itself is then kept for whoever asks next.
 * Null: there is nothing to stand in, since the server did not answer its latest check either.
 * @throws what the client throws, but for the limit.
 */
export async function readLiveList(
  { client, ports, now }: Pick<CommandContext, 'client' | 'ports' | 'now'>,
  server: Server,
): Promise<LiveList | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), longestWaitMs);
  });
  const asked = client.listOnlinePlayers({ serverId: server.id }).catch((error: unknown) => {
    if (isLimit(error)) return null;
    throw error;
  });
  // What comes when nobody waits any more is nobody's failure.
  asked.catch(() => {});
  const answer = await Promise.race([asked, late]).finally(() => clearTimeout(timer));
  if (answer !== null) return { ...answer, countOnly: false };
  if (server.status !== 'ONLINE') return null;

  const live = ports.live?.(server.id) ?? null;
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
  return { data, receivedAt: now, stale: false, countOnly: live === null };
}
