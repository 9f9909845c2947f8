import type { Client } from '../../api/client-types.ts';
import type { Server } from '../../api/resources.ts';
import type { Community } from '../../commands/interfaces/community.ts';
import type { BotContext } from '../bot-options.ts';
import { recheckedMs } from '../limits.ts';

export type ServerReader = ReturnType<typeof createServerReader>;

/** The servers of projects, and when they last answered, for alerts and the presence. */
export function createServerReader({
  gateway,
  now,
  monotonic,
}: Pick<BotContext, 'gateway' | 'now' | 'monotonic'>) {
  /** The latest answer of each server that this process observed; epoch milliseconds. */
  const answered = new Map<string, number>();
  /** When Discord's gateway was last seen away, by the monotonic clock. */
  let awayAt = -Infinity;
  return {
    /** Null: they could not be read just now. A stale answer must not trigger alerts. */
    async read(client: Client): Promise<readonly Server[] | null> {
      const answer = await client.listServers().catch(() => null);
      if (answer === null || answer.stale) return null;
      const { servers } = answer.data;
      for (const { id, status, checkedAt } of servers) {
        if (status === 'ONLINE' && checkedAt !== null) answered.set(id, Date.parse(checkedAt));
      }
      return servers;
    },
    /** When a server that is down last answered, epoch milliseconds; null: unknown. */
    async lastAnswer(community: Community, serverId: string): Promise<number | null> {
      const stored = (await community.lastAnswerAt(serverId).catch(() => null)) ?? -Infinity;
      const latest = Math.max(stored, answered.get(serverId) ?? -Infinity);
      return Number.isFinite(latest) && latest <= now() ? latest : null;
    },
    /** Where this machine has no network, no server answers it, and Discord is away, too. */
    isNetworkDoubtful(): boolean {
      if (!gateway.isConnected()) awayAt = monotonic();
      return monotonic() - awayAt < recheckedMs;
    },
  };
}
