import { setTimeout as delay } from 'node:timers/promises';
import { GatewayCloseCodes, Status, type Client as DiscordClient, type Interaction } from 'discord.js';
import type { Logger } from 'pino';
import { httpStatus } from '../../discord-error.ts';
import type { IdentifyBudget } from '../identify-budget.ts';
import { ShardClient, type ShardOutcome } from './shard-client.ts';

export interface ShardOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  identifies: Pick<IdentifyBudget, 'turn' | 'spend'>;
  onInteraction: (interaction: Interaction) => void;
  /** A new client of this shard, before it connects. */
  onClient: (client: DiscordClient) => void;
  /** Discord refuses the bot after the shard was ready, with this close code. */
  onRefused: (code: number) => void;
  /** Discord cannot be reached; the shard tries again. */
  onUnreachable: (error: unknown) => void;
  /** Whether this process still holds the shard, as far as it knows. */
  isHeld: (shard: number) => boolean;
  /** Asks the store whether this process holds the shard. @throws when it does not answer */
  confirm: (shard: number) => Promise<boolean>;
  /** First delay before reconnecting. It doubles up to two minutes. Default: 1 s. */
  reconnectMs?: number | undefined;
}

/** `waiting`: for its turn to log in, or for Discord. */
type ShardState = 'waiting' | 'connected';

export interface ShardMetrics {
  shard: number;
  state: ShardState;
  guilds: number;
  /** Of the last heartbeat; null: none yet. */
  latencyMs: number | null;
  /** IDENTIFYs of the shard by this process. */
  logins: number;
}

const longestReconnectMs = 120_000;
/** Pause after the store did not answer. */
const storeAgainMs = 1_000;

/** One shard that this process holds, with a discord.js client of its own. */
export class HeldShard {
  readonly shard: number;
  readonly #count: number;
  readonly #options: ShardOptions;
  readonly #closing = new AbortController();
  #client: ShardClient | null = null;
  #wasReady = false;
  #logins = 0;

  constructor(shard: number, count: number, options: ShardOptions) {
    this.shard = shard;
    this.#count = count;
    this.#options = options;
  }

  /** Null until it is connected for the first time. */
  get client(): DiscordClient<true> | null {
    const client = this.#wasReady ? this.#client?.client : undefined;
    return client?.isReady() === true ? client : null;
  }

  metrics(): ShardMetrics {
    const { client } = this;
    const isConnected = client !== null && client.ws.shards.every(({ status }) => status === Status.Ready);
    return {
      shard: this.shard,
      state: isConnected ? 'connected' : 'waiting',
      guilds: client?.guilds.cache.size ?? 0,
      latencyMs: client === null || client.ws.ping < 0 ? null : client.ws.ping,
      logins: this.#logins,
    };
  }

  /** Connects, however long that takes. Resolves with a close code when Discord refuses the bot. Never rejects. */
  async connect(): Promise<'ready' | 'closed' | { refused: number }> {
    const { signal } = this.#closing;
    const closed = aborted(signal);
    let waitMs = this.#options.reconnectMs ?? 1_000;
    while (!signal.aborted) {
      const outcome = await Promise.race([this.#attempt(), closed]);
      if (outcome === 'closed' || signal.aborted) break;
      if ('ready' in outcome) {
        this.#wasReady = true;
        return 'ready';
      }
      await this.#client?.destroy();
      if ('refused' in outcome) return outcome;
      this.#options.onUnreachable(outcome.unreachable);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, longestReconnectMs);
    }
    return 'closed';
  }

  /** Closes the connection; the shard goes offline. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.destroy();
  }

  async #attempt(): Promise<ShardOutcome> {
    const { identifies, onClient, onInteraction, onRefused, isHeld } = this.#options;
    const { signal } = this.#closing;
    try {
      await identifies.turn(signal);
      const client = new ShardClient({
        ...this.#options,
        shard: { id: this.shard, count: this.#count },
        // A process that was suspended may have lost the shard to another one, which answers.
        onInteraction: (interaction) => (isHeld(this.shard) ? onInteraction(interaction) : undefined),
        onRefused: (code) => (this.#wasReady ? onRefused(code) : undefined),
        beforeIdentify: async (closed) => {
          await this.#untilConfirmed(closed);
          await identifies.spend(closed, this.shard);
          this.#logins += 1;
        },
      });
      signal.throwIfAborted();
      this.#client = client;
      onClient(client.client);
      return await client.connect();
    } catch (error) {
      return httpStatus(error) === 401
        ? { refused: GatewayCloseCodes.AuthenticationFailed }
        : { unreachable: error };
    }
  }

  /** While the store is away, another process may have the shard. @throws when the signal is aborted */
  async #untilConfirmed(signal: AbortSignal): Promise<void> {
    while (!(await this.#options.confirm(this.shard).catch(() => false)))
      await delay(storeAgainMs, undefined, { signal });
  }
}

function aborted(signal: AbortSignal): Promise<'closed'> {
  if (signal.aborted) return Promise.resolve('closed');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('closed'), { once: true }));
}
