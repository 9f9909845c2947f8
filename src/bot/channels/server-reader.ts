import type { Client } from '../../api/client-types.ts';
import type { Server } from '../../api/resources.ts';
import type { Community } from '../../commands/interfaces/community.ts';
import type { Clock } from '../../process/clock.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { recheckedMs } from '../limits.ts';

interface ServerReaderOptions extends Clock {
  gateway: Pick<Gateway, 'isConnected'>;
}

/** The servers of projects, and when they last answered, for alerts and the presence. */
export class ServerReader {
  readonly #options: ServerReaderOptions;
  /** The latest answer of each server that this process observed; epoch milliseconds. */
  readonly #answered = new Map<string, number>();
  /** When Discord's gateway was last seen away, by the monotonic clock. */
  #awayAt = -Infinity;

  constructor(options: ServerReaderOptions) {
    this.#options = options;
  }

  /** Null: they could not be read just now. A stale answer must not trigger alerts. */
  async read(client: Client): Promise<readonly Server[] | null> {
    const answer = await client.listServers().catch(() => null);
    if (answer === null || answer.stale) return null;
    const { servers } = answer.data;
    for (const { id, status, checkedAt } of servers) {
      if (status === 'ONLINE' && checkedAt !== null) this.#answered.set(id, Date.parse(checkedAt));
    }
    return servers;
  }

  /** When a server that is down last answered, epoch milliseconds; null: unknown. */
  async lastAnswer(community: Community, serverId: string): Promise<number | null> {
    const stored = (await community.lastAnswerAt(serverId).catch(() => null)) ?? -Infinity;
    const latest = Math.max(stored, this.#answered.get(serverId) ?? -Infinity);
    return Number.isFinite(latest) && latest <= this.#options.now() ? latest : null;
  }

  /** Where this machine has no network, no server answers it, and Discord is away, too. */
  isNetworkDoubtful(): boolean {
    const { gateway, monotonic } = this.#options;
    if (!gateway.isConnected()) this.#awayAt = monotonic();
    return monotonic() - this.#awayAt < recheckedMs;
  }
}
