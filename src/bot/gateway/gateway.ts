import {
  GatewayCloseCodes,
  PermissionFlagsBits,
  type PermissionsBitField,
  type Client as DiscordClient,
  type PresenceData,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import { reportEvents, type GatewayListeners } from './gateway-events.ts';
import { Shards, type ShardsOptions } from './shards/shards.ts';
import type { ShardFigures } from './shards/held-shard.ts';

export type { GatewayListeners } from './gateway-events.ts';

export type GatewayOptions = Omit<ShardsOptions, 'onClient' | 'onChange'>;

/** Why Discord permanently refuses the bot. */
export type Refusal = string;

const refusals = new Map<number, Refusal>([
  [GatewayCloseCodes.AuthenticationFailed, 'it does not know the token; check DISCORD_TOKEN'],
  [GatewayCloseCodes.DisallowedIntents, 'the application may not use the intents that the bot requests'],
  [GatewayCloseCodes.InvalidIntents, 'it does not know the intents that the bot requests'],
  [GatewayCloseCodes.InvalidAPIVersion, 'it no longer supports the API version that the bot uses'],
  [GatewayCloseCodes.InvalidShard, 'the shard number is invalid'],
]);

/** The bot's connections to Discord's gateway, one for each shard that this process holds. They reconnect by themselves. */
export interface Gateway {
  /** Resolves when the first shard is connected or Discord permanently refuses the bot. Waits while Discord is unreachable. */
  connect(): Promise<{ ready: DiscordClient<true> } | { refused: Refusal } | 'closed'>;
  /** The bot's guilds of the shards that are connected here, including unavailable ones, whose name is empty. */
  guilds(): { id: string; name: string }[];
  /** Whether the guild's shard is connected here. */
  serves(guildId: string): boolean;
  /** The leases of the shards that are connected here. */
  heldLeases(): string[];
  /** Whether all shards are connected here, so that no guild of the bot is missing. */
  isComplete(): boolean;
  /** Whether this process holds the first shard, and so does what only one process does for the whole bot. */
  isFirst(): boolean;
  /** How many shards the bot has. */
  shardCount(): number;
  /** The shards that this process holds. */
  shards(): ShardFigures[];
  /** The guild of a channel and its preferred locale; null: the bot is not in the guild or cannot see the channel. */
  guildOf(channelId: string): { id: string; locale: string } | null;
  /**
   * Whether a guild is unavailable: in an outage, not received yet, or on a shard that is not connected here. Without an id:
   * whether any guild is.
   */
  isUnavailable(guildId?: string): boolean;
  /** The bot's permissions in a channel and whether the thread is open, as text to compare with an earlier one. */
  accessOf(channelId: string): string;
  /** The bot's permissions in a channel; null: the bot does not know the channel. */
  permissionsIn(channelId: string): { permissions: bigint; isThread: boolean } | null;
  /** Whether the bot may read earlier messages of a channel. */
  mayReadHistory(channelId: string): boolean;
  /** The bot's user id; null before it is ready. */
  ownId(): string | null;
  /** Sets the presence, if connected. */
  setPresence(presence: PresenceData): void;
  /**
   * Adds listeners and returns a function that removes them. `session`: a new session started, which has no presence yet.
   */
  on(listeners: Partial<GatewayListeners>): () => void;
  /** Sets the listener for a refusal after the bot was ready. */
  onRefused(listener: (refusal: Refusal) => void): void;
  /** Closes the connections and gives the shards away, so that other processes can take them. */
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const listeners = new Set<Partial<GatewayListeners>>();
  function call<Name extends keyof GatewayListeners>(
    name: Name,
    ...args: Parameters<GatewayListeners[Name]>
  ): void {
    for (const listener of listeners)
      (listener[name] as ((...given: typeof args) => void) | undefined)?.(...args);
  }
  /** State of threads. discord.js does not know threads that were archived before the start. */
  const threads = new LRUCache<string, string>({ max: 1_000 });
  const shards = new Shards({
    ...options,
    onClient: (client) => reportEvents(client, call, threads),
    onChange: async () => void (await Promise.all([...listeners].map(async (each) => await each.shards?.()))),
  });

  function channelOf(channelId: string) {
    for (const client of shards.clients()) {
      const channel = client.channels.cache.get(channelId);
      if (channel !== undefined) return channel.isDMBased() ? undefined : channel;
    }
    return undefined;
  }
  const permissionsIn: Gateway['permissionsIn'] = (channelId) => {
    const channel = channelOf(channelId);
    if (channel === undefined) return null;
    const { me } = channel.guild.members;
    if (me === null) return null;
    // discord.js keeps a thread whose channel was converted and deleted later, and knows no permissions there.
    const permissions = channel.permissionsFor(me) as Readonly<PermissionsBitField> | null;
    return permissions && { permissions: permissions.bitfield, isThread: channel.isThread() };
  };
  const refusalOf = (code: number): Refusal =>
    refusals.get(code) ?? `it closed the connection with code ${code}`;

  return {
    async connect() {
      const outcome = await shards.connect();
      return typeof outcome === 'object' && 'refused' in outcome
        ? { refused: refusalOf(outcome.refused) }
        : outcome;
    },
    guilds: () =>
      shards
        .clients()
        .flatMap((client) => client.guilds.cache.map(({ id, name }) => ({ id, name: name ?? '' }))),
    serves: (guildId) => shards.serves(guildId),
    heldLeases: () => shards.heldLeases(),
    isComplete: () => shards.isComplete(),
    isFirst: () => shards.figures().some(({ shard }) => shard === 0),
    shardCount: () => shards.count(),
    shards: () => shards.figures(),
    guildOf(channelId) {
      const channel = channelOf(channelId);
      return channel === undefined ? null : { id: channel.guildId, locale: channel.guild.preferredLocale };
    },
    setPresence(presence) {
      for (const client of shards.clients()) client.user.setPresence(presence);
    },
    isUnavailable(guildId) {
      if (guildId === undefined ? !shards.isComplete() : !shards.serves(guildId)) return true;
      return shards
        .clients()
        .some((client) =>
          client.guilds.cache.some(
            ({ id, available }) => !available && (guildId === undefined || id === guildId),
          ),
        );
    },
    accessOf(channelId) {
      const thread = threads.get(channelId) ?? '';
      if (channelOf(channelId) === undefined) return `unknown ${thread}`;
      return `${permissionsIn(channelId)?.permissions ?? null} ${thread}`;
    },
    permissionsIn,
    mayReadHistory(channelId) {
      const granted = permissionsIn(channelId)?.permissions ?? 0n;
      return (granted & PermissionFlagsBits.ReadMessageHistory) !== 0n;
    },
    ownId: () => shards.clients()[0]?.user.id ?? null,
    on(added) {
      listeners.add(added);
      return () => void listeners.delete(added);
    },
    onRefused(listener) {
      shards.onRefused((code) => listener(refusalOf(code)));
    },
    close: () => shards.close(),
  };
}
