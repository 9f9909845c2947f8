import {
  ChannelType,
  GatewayCloseCodes,
  PermissionFlagsBits,
  type PermissionsBitField,
  type Client as DiscordClient,
  type PresenceData,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { GuildRoles } from '../channels/roles/role-obstacle.ts';
import { reportEvents, type GatewayListeners } from './gateway-events.ts';
import { Shards, type ShardsOptions } from './shards/shards.ts';
import type { ShardMetrics } from './shards/held-shard.ts';

export type { GatewayListeners } from './gateway-events.ts';

interface GatewayOptions extends Omit<ShardsOptions, 'onClient' | 'onChange' | 'onRefused'> {
  /** Called with the reason when Discord permanently refuses the bot. */
  onRefused: (refusal: string) => void;
}

const refusals = new Map<number, string>([
  [GatewayCloseCodes.AuthenticationFailed, 'it does not know the token; check DISCORD_TOKEN'],
  [GatewayCloseCodes.DisallowedIntents, 'the application may not use the intents that the bot requests'],
  [GatewayCloseCodes.InvalidIntents, 'it does not know the intents that the bot requests'],
  [GatewayCloseCodes.InvalidAPIVersion, 'it no longer supports the API version that the bot uses'],
  [GatewayCloseCodes.InvalidShard, 'the shard number is invalid'],
]);

function refusalOf(code: number): string {
  return refusals.get(code) ?? `it closed the connection with code ${code}`;
}

/** The bot's connections to Discord's gateway, one for each shard that this process holds. They reconnect by themselves. */
export class Gateway {
  readonly #shards: Shards;
  readonly #listeners = new Set<Partial<GatewayListeners>>();
  /** State of threads. discord.js does not know threads that were archived before the start. */
  readonly #threads = new LRUCache<string, string>({ max: 1_000 });

  constructor(options: GatewayOptions) {
    this.#shards = new Shards({
      ...options,
      onRefused: (code) => options.onRefused(refusalOf(code)),
      onClient: (client) => reportEvents(client, (name, ...args) => this.#call(name, ...args), this.#threads),
      onChange: async () =>
        void (await Promise.all([...this.#listeners].map(async (each) => await each.shards?.()))),
    });
  }

  /** Resolves when the first shard is connected or Discord permanently refuses the bot. Waits while Discord is unreachable. */
  async connect(): Promise<{ ready: DiscordClient<true> } | 'refused' | 'closed'> {
    return await this.#shards.connect();
  }

  /** The bot's guilds of the shards that are connected here, including unavailable ones, whose name is empty. */
  guilds(): { id: string; name: string }[] {
    return this.#shards
      .clients()
      .flatMap((client) => client.guilds.cache.map(({ id, name }) => ({ id, name: name ?? '' })));
  }

  /** Whether the guild's shard is connected here. */
  serves(guildId: string): boolean {
    return this.#shards.serves(guildId);
  }

  /** The leases of the shards that are connected here. */
  heldLeases(): string[] {
    return this.#shards.heldLeases();
  }

  /** Whether all shards are connected here, so that no guild of the bot is missing. */
  isComplete(): boolean {
    return this.#shards.isComplete();
  }

  /** Whether this process holds the first shard, and so does what only one process does for the whole bot. */
  isFirst(): boolean {
    return this.#shards.metrics().some(({ shard }) => shard === 0);
  }

  shardCount(): number {
    return this.#shards.count();
  }

  shardMetrics(): ShardMetrics[] {
    return this.#shards.metrics();
  }

  /** The guild of a channel and its preferred locale; null: the bot is not in the guild or cannot see the channel. */
  guildOf(channelId: string): { id: string; locale: string } | null {
    const channel = this.#channelOf(channelId);
    return channel === undefined ? null : { id: channel.guildId, locale: channel.guild.preferredLocale };
  }

  /** A guild and its preferred locale; null: the bot is not in it, or has not received it yet. */
  guild(id: string): { id: string; locale: string } | null {
    const { preferredLocale: locale } = this.#guildOf(id) ?? {};
    return locale === undefined ? null : { id, locale };
  }

  /**
   * Whether a guild is unavailable: in an outage, not received yet, or on a shard that is not connected here. Without an id:
   * whether any guild is.
   */
  isUnavailable(guildId?: string): boolean {
    if (guildId !== undefined) return !this.serves(guildId) || this.#guildOf(guildId)?.available === false;
    const isCut = (client: DiscordClient) => client.guilds.cache.some(({ available }) => !available);
    return !this.isComplete() || this.#shards.clients().some(isCut);
  }

  /** The bot's permissions in a channel and whether the thread is open, as text to compare with an earlier one. */
  accessOf(channelId: string): string {
    const thread = this.#threads.get(channelId) ?? '';
    if (this.#channelOf(channelId) === undefined) return `unknown ${thread}`;
    return `${this.permissionsIn(channelId)?.permissions ?? null} ${thread}`;
  }

  /** The bot's permissions in a channel; null: the bot does not know the channel. */
  permissionsIn(channelId: string): { permissions: bigint; isThread: boolean } | null {
    const channel = this.#channelOf(channelId);
    if (channel === undefined) return null;
    const { me } = channel.guild.members;
    if (me === null) return null;
    // discord.js keeps a thread whose channel was converted and deleted later, and knows no permissions there.
    const permissions = channel.permissionsFor(me) as Readonly<PermissionsBitField> | null;
    return permissions && { permissions: permissions.bitfield, isThread: channel.isThread() };
  }

  /** Null: the bot does not know the channel. */
  channelName(channelId: string): string | null {
    return this.#channelOf(channelId)?.name ?? null;
  }

  /** The roles of a guild; null: the guild is unknown, or not available now. */
  rolesOf(guildId: string): GuildRoles | null {
    const guild = this.#guildOf(guildId);
    const me = guild?.members.me ?? null;
    if (guild === undefined || !guild.available || me === null) return null;
    const roles = guild.roles.cache.map(({ id, name, rawPosition, permissions, managed }) => {
      return { id, name, position: rawPosition, permissions: permissions.bitfield, managed };
    });
    return { guildId, roles, own: me.roles.cache.map(({ id }) => id) };
  }

  /** Whether everyone may mention a role; null: there is none. */
  isMentionable(guildId: string, roleId: string): boolean | null {
    return this.#guildOf(guildId)?.roles.cache.get(roleId)?.mentionable ?? null;
  }

  /** Whether everyone in the guild sees a channel; false: it is unknown. */
  isForAll(channelId: string): boolean {
    const channel = this.#channelOf(channelId);
    // Its permissions are those of the channel around it, but only its own members see it.
    if (channel === undefined || channel.type === ChannelType.PrivateThread) return false;
    const { everyone } = channel.guild.roles;
    return channel.permissionsFor(everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
  }

  /** True where the bot's permissions are unknown. */
  may(permission: 'EmbedLinks' | 'AttachFiles', channelId: string): boolean {
    const { permissions } = this.permissionsIn(channelId) ?? {};
    return permissions === undefined || (permissions & PermissionFlagsBits[permission]) !== 0n;
  }

  mayReadHistory(channelId: string): boolean {
    const granted = this.permissionsIn(channelId)?.permissions ?? 0n;
    return (granted & PermissionFlagsBits.ReadMessageHistory) !== 0n;
  }

  /** The bot's user id; null before it is ready. */
  ownId(): string | null {
    return this.#shards.clients()[0]?.user.id ?? null;
  }

  setPresence(presence: PresenceData): void {
    for (const client of this.#shards.clients()) client.user.setPresence(presence);
  }

  /**
   * Adds listeners and returns a function that removes them. `session`: a new session started, which has no presence yet.
   */
  on(listeners: Partial<GatewayListeners>): () => void {
    this.#listeners.add(listeners);
    return () => void this.#listeners.delete(listeners);
  }

  /** Closes the connections and gives the shards away, so that other processes can take them. */
  async close(): Promise<void> {
    await this.#shards.close();
  }

  #call<Name extends keyof GatewayListeners>(name: Name, ...args: Parameters<GatewayListeners[Name]>): void {
    for (const listener of this.#listeners)
      (listener[name] as ((...given: typeof args) => void) | undefined)?.(...args);
  }

  #guildOf(id: string) {
    return this.#shards
      .clients()
      .find(({ guilds }) => guilds.cache.has(id))
      ?.guilds.cache.get(id);
  }

  #channelOf(id: string) {
    const client = this.#shards.clients().find(({ channels }) => channels.cache.has(id));
    const channel = client?.channels.cache.get(id);
    return channel === undefined || channel.isDMBased() ? undefined : channel;
  }
}
