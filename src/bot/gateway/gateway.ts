import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { REST } from '@discordjs/rest';
import {
  GatewayCloseCodes,
  Status,
  type Client as DiscordClient,
  type Guild,
  type GuildBasedChannel,
  type PresenceData,
} from 'discord.js';
import { backOffMs } from '../../process/back-off.ts';
import { httpStatus } from '../discord-error.ts';
import { longestReconnectMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { GatewayClient, type ClientOptions, type LoginOutcome } from './client.ts';
import { reportEvents, type GatewayListeners } from './gateway-events.ts';
import { waitForLogin } from './login-guard.ts';

interface GatewayOptions extends ClientOptions {
  rest: REST;
  /** Called with the reason when Discord permanently refuses the bot. */
  onRefused: (refusal: string) => void;
  /** See `defaultTiming`. */
  reconnectMs: number;
}

/** For metrics. */
export interface GatewayMetrics {
  isConnected: boolean;
  guilds: number;
  /** Of the last heartbeats; null: none yet. */
  latencyMs: number | null;
}

const refusals = new Map<number, string>([
  [GatewayCloseCodes.AuthenticationFailed, 'it does not know the token; check DISCORD_TOKEN'],
  [GatewayCloseCodes.DisallowedIntents, 'the application may not use the intents that the bot requests'],
  [GatewayCloseCodes.InvalidAPIVersion, 'it no longer supports the API version that the bot uses'],
  [
    GatewayCloseCodes.ShardingRequired,
    'the bot has joined too many guilds for its shards; start Outpost again, and it has more of them',
  ],
]);

/**
 * The bot's connection to Discord's gateway. It is
 * - logging in: from `connect` until Discord has sent all guilds, with a back-off while Discord cannot be reached;
 * - ready: where a connection is lost, discord.js connects again;
 * - refused: Discord does not take the bot, and `onRefused` was called; or
 * - closed: `close` was called.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #closing = new AbortController();
  readonly #closed: Promise<'closed'>;
  readonly #listeners = new Set<Partial<GatewayListeners>>();
  #connection: GatewayClient | null = null;
  /** Null until it is ready. */
  #client: DiscordClient<true> | null = null;
  #isUnreachable = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#closed = new Promise((resolve) =>
      this.#closing.signal.addEventListener('abort', () => resolve('closed'), { once: true }),
    );
  }

  /** Resolves when the bot is ready or Discord permanently refuses it. Waits while Discord is unreachable. Never rejects. */
  async connect(): Promise<{ ready: DiscordClient<true> } | 'refused' | 'closed'> {
    const { signal } = this.#closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const outcome = await Promise.race([this.#logIn(), this.#closed]);
      if (outcome === 'closed') break;
      if ('ready' in outcome) {
        this.#client = outcome.ready;
        return outcome;
      }
      if ('refused' in outcome) {
        await this.#connection?.close();
        this.#refused(outcome.refused);
        return 'refused';
      }
      this.#logUnreachable(outcome.unreachable);
      const waitMs = backOffMs(failures, this.#options.reconnectMs, longestReconnectMs);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
    return 'closed';
  }

  /** The bot's guilds, including unavailable ones, whose name is empty. */
  guilds(): { id: string; name: string }[] {
    return this.#client?.guilds.cache.map(({ id, name }) => ({ id, name: name ?? '' })) ?? [];
  }

  /** Whether all shards are connected. */
  isConnected(): boolean {
    return this.#client?.ws.shards.every(({ status }) => status === Status.Ready) === true;
  }

  metrics(): GatewayMetrics {
    const ping = this.#client?.ws.ping ?? -1;
    return {
      isConnected: this.isConnected(),
      guilds: this.#client?.guilds.cache.size ?? 0,
      latencyMs: ping < 0 ? null : ping,
    };
  }

  /** Undefined: the bot is not in the guild. */
  guild(id: string): Guild | undefined {
    return this.#client?.guilds.cache.get(id);
  }

  /** Undefined: the bot is not in the guild, or does not know the channel. */
  channel(id: string): GuildBasedChannel | undefined {
    const channel = this.#client?.channels.cache.get(id);
    return channel === undefined || channel.isDMBased() ? undefined : channel;
  }

  /**
   * The id of a channel's guild; asks Discord for a channel that discord.js does not know, such as a thread that was archived
   * before the start. Null: it is of no guild.
   * @throws the client's errors, also where the channel is gone or hidden from the bot, and when aborted
   */
  async findGuildOf(channelId: string, signal: AbortSignal): Promise<string | null> {
    if (this.#client !== null && this.channel(channelId) === undefined) {
      signal.throwIfAborted();
      const done = new AbortController();
      const aborted = once(signal, 'abort', { signal: done.signal }).then(() => signal.throwIfAborted());
      await Promise.race([this.#client.channels.fetch(channelId), aborted]).finally(() => done.abort());
    }
    return this.channel(channelId)?.guildId ?? null;
  }

  /** Whether a guild is unavailable: in an outage, or not received yet. Without an id: whether any guild is. */
  isUnavailable(guildId?: string): boolean {
    if (this.#client === null) return true;
    if (guildId !== undefined) return this.guild(guildId)?.available === false;
    return this.#client.guilds.cache.some(({ available }) => !available);
  }

  setPresence(presence: PresenceData): void {
    this.#client?.user.setPresence(presence);
  }

  /** Adds listeners and returns a function that removes them. */
  on(listeners: Partial<GatewayListeners>): () => void {
    this.#listeners.add(listeners);
    return () => void this.#listeners.delete(listeners);
  }

  /** Closes the connection; the bot goes offline. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.close();
  }

  async #logIn(): Promise<LoginOutcome> {
    const { signal } = this.#closing;
    const { rest, log } = this.#options;
    try {
      await waitForLogin(rest, log, signal);
      signal.throwIfAborted();
      const connection = new GatewayClient(this.#options);
      this.#connection = connection;
      reportEvents(connection.client, this.#listeners);
      return await connection.login((code) => {
        if (this.#client !== null) this.#refused(code);
      });
    } catch (error) {
      return httpStatus(error) === 401
        ? { refused: GatewayCloseCodes.AuthenticationFailed }
        : { unreachable: error };
    }
  }

  #refused(code: number): void {
    this.#options.onRefused(refusals.get(code) ?? `it closed the connection with code ${code}`);
  }

  #logUnreachable(error: unknown): void {
    if (this.#isUnreachable) return;
    this.#isUnreachable = true;
    this.#options.log.warn(
      { error: loggable(error) },
      'could not reach Discord; the bot keeps trying and the service keeps running',
    );
  }
}
