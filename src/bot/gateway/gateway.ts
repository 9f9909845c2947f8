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
import {
  createGatewayClient,
  type ClientOptions,
  type GatewayClient,
  type GatewayListeners,
  type LoginOutcome,
} from './client.ts';
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

export type Gateway = ReturnType<typeof createGateway>;

/**
 * The bot's connection to Discord's gateway. It is
 * - logging in: from `connect` until Discord has sent all guilds, with a back-off while Discord cannot be reached;
 * - ready: where a connection is lost, discord.js connects again;
 * - refused: Discord does not take the bot, and `onRefused` was called; or
 * - closed: `close` was called.
 */
export function createGateway(options: GatewayOptions) {
  const { rest, log, onRefused, reconnectMs } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const closed = new Promise<'closed'>((resolve) =>
    signal.addEventListener('abort', () => resolve('closed'), { once: true }),
  );
  const listeners = new Set<Partial<GatewayListeners>>();
  let connection: GatewayClient | null = null;
  /** Null until it is ready. */
  let client: DiscordClient<true> | null = null;
  let isUnreachable = false;

  async function logIn(): Promise<LoginOutcome> {
    try {
      await waitForLogin(rest, log, signal);
      signal.throwIfAborted();
      connection = createGatewayClient(options, listeners);
      return await connection.login((code) => {
        // Before the bot is ready, the outcome says so, and `connect` reports it.
        if (client !== null) refused(code);
      });
    } catch (error) {
      return httpStatus(error) === 401
        ? { refused: GatewayCloseCodes.AuthenticationFailed }
        : { unreachable: error };
    }
  }

  function refused(code: number): void {
    onRefused(refusals.get(code) ?? `it closed the connection with code ${code}`);
  }

  /** Whether all shards are connected. */
  const isConnected = (): boolean =>
    client?.ws.shards.every(({ status }) => status === Status.Ready) === true;

  /** Undefined: the bot is not in the guild. */
  const guild = (id: string): Guild | undefined => client?.guilds.cache.get(id);

  /** Undefined: the bot is not in the guild, or does not know the channel. */
  function channel(id: string): GuildBasedChannel | undefined {
    const found = client?.channels.cache.get(id);
    return found === undefined || found.isDMBased() ? undefined : found;
  }

  return {
    isConnected,
    guild,
    channel,
    /** Resolves when the bot is ready or Discord permanently refuses it. Waits while Discord is unreachable. Never rejects. */
    async connect(): Promise<{ ready: DiscordClient<true> } | 'refused' | 'closed'> {
      for (let failures = 1; !signal.aborted; failures += 1) {
        const outcome = await Promise.race([logIn(), closed]);
        if (outcome === 'closed') break;
        if ('ready' in outcome) {
          client = outcome.ready;
          return outcome;
        }
        if ('refused' in outcome) {
          await connection?.close();
          refused(outcome.refused);
          return 'refused';
        }
        const text = 'could not reach Discord; the bot keeps trying and the service keeps running';
        if (!isUnreachable) log.warn({ error: loggable(outcome.unreachable) }, text);
        isUnreachable = true;
        const waitMs = backOffMs(failures, reconnectMs, longestReconnectMs);
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
      return 'closed';
    },
    /** The bot's guilds, including unavailable ones, whose name is empty. */
    guilds: (): { id: string; name: string }[] =>
      client?.guilds.cache.map(({ id, name }) => ({ id, name: name ?? '' })) ?? [],
    metrics(): GatewayMetrics {
      const ping = client?.ws.ping ?? -1;
      const guilds = client?.guilds.cache.size ?? 0;
      return { isConnected: isConnected(), guilds, latencyMs: ping < 0 ? null : ping };
    },
    /**
     * The id of a channel's guild; asks Discord for a channel that discord.js does not know, such as a thread that was archived
     * before the start. Null: it is of no guild.
     * @param until ends the request
     * @throws the client's errors, also where the channel is gone or hidden from the bot, and when aborted
     */
    async findGuildOf(channelId: string, until: AbortSignal): Promise<string | null> {
      if (client !== null && channel(channelId) === undefined) {
        until.throwIfAborted();
        const done = new AbortController();
        const aborted = once(until, 'abort', { signal: done.signal }).then(() => until.throwIfAborted());
        await Promise.race([client.channels.fetch(channelId), aborted]).finally(() => done.abort());
      }
      return channel(channelId)?.guildId ?? null;
    },
    /** Whether a guild is unavailable: in an outage, or not received yet. Without an id: whether any guild is. */
    isUnavailable(guildId?: string): boolean {
      if (client === null) return true;
      if (guildId !== undefined) return guild(guildId)?.available === false;
      return client.guilds.cache.some(({ available }) => !available);
    },
    setPresence(presence: PresenceData): void {
      client?.user.setPresence(presence);
    },
    /** Adds listeners and returns a function that removes them. */
    on(listener: Partial<GatewayListeners>): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Closes the connection; the bot goes offline. */
    async close(): Promise<void> {
      closing.abort();
      await connection?.close();
    },
  };
}
