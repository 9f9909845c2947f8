import {
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  PermissionFlagsBits,
  type APIThreadChannel,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type Interaction,
  type PresenceData,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { noMentions } from './acknowledgement.ts';
import { loggable } from './loggable.ts';
import { within } from './time-limit.ts';

export interface GatewayOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  onInteraction: (interaction: Interaction) => void;
  /** Called before each IDENTIFY, which waits for it. */
  beforeIdentify: (signal: AbortSignal) => Promise<void>;
}

/** How long `destroy` waits for a login in progress. */
const loginSettlesMs = 1_000;

/** Why Discord permanently refuses the bot. */
export type Refusal = string;

const refusals = new Map<number, Refusal>([
  [GatewayCloseCodes.AuthenticationFailed, 'it does not know the token; check DISCORD_TOKEN'],
  [GatewayCloseCodes.DisallowedIntents, 'the application may not use the intents that the bot requests'],
  [GatewayCloseCodes.InvalidIntents, 'it does not know the intents that the bot requests'],
  [GatewayCloseCodes.InvalidAPIVersion, 'it no longer supports the API version that the bot uses'],
  [GatewayCloseCodes.ShardingRequired, 'the bot is in too many guilds for one connection'],
  [GatewayCloseCodes.InvalidShard, 'the shard number is invalid'],
]);

export interface GatewayListeners {
  joined(guildId: string): void;
  /** The guild's channels are no longer cached at this point. */
  left(guildId: string): void;
  /** The guild, its roles, its channels or the bot's roles changed, or the guild became available. */
  changed(guildId: string): void;
  session(): void;
  /** Messages of a channel were deleted. */
  messagesDeleted(messageIds: readonly string[]): void;
  /** A channel or a thread was deleted. */
  channelDeleted(channelId: string): void;
}

/** A connection to Discord's gateway. It reconnects by itself after it was ready once. */
export interface Gateway {
  /**
   * Resolves with the first of: ready, permanently refused, unreachable. Never rejects.
   */
  connect(): Promise<{ ready: DiscordClient<true> } | { refused: Refusal } | { unreachable: unknown }>;
  /** The bot's guilds, including unavailable ones, whose name is empty. */
  guilds(): { id: string; name: string }[];
  /** The guild of a channel and its preferred locale; null: the bot is not in the guild or cannot see the channel. */
  guildOf(channelId: string): { id: string; locale: string } | null;
  /** Whether a guild is unavailable: in an outage, or not received yet. Without an id: whether any guild is. */
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
  destroy(): Promise<void>;
}

function isInvalidToken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'TokenInvalid';
}

export function createGateway(options: GatewayOptions): Gateway {
  const { token, apiUrl, log, onInteraction, beforeIdentify } = options;
  const client = new DiscordClient({
    // Slash commands need no intent. Guilds keeps the guild cache current, GuildMessages reports deleted posts.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    allowedMentions: noMentions,
    rest: { version: '10', ...(apiUrl !== undefined && { api: apiUrl }) },
    ws: {
      buildIdentifyThrottler: () => ({ waitForIdentify: (_shard, signal) => beforeIdentify(signal) }),
    },
    // The bot uses no messages, members or presences, so it caches none.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      ThreadMemberManager: 0,
      VoiceStateManager: 0,
      GuildMemberManager: { maxSize: 50, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 50, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
  });
  let refusedLater: (refusal: Refusal) => void = () => {};
  let settle: (outcome: Awaited<ReturnType<Gateway['connect']>>) => void = () => {};
  let destroyed = false;
  /** State of threads. discord.js does not know threads that were archived before the start. */
  const threads = new LRUCache<string, string>({ max: 1_000 });
  let login: Promise<unknown> = Promise.resolve();

  const listeners = new Set<Partial<GatewayListeners>>();
  function call<Name extends keyof GatewayListeners>(
    name: Name,
    ...args: Parameters<GatewayListeners[Name]>
  ): void {
    for (const listener of listeners)
      (listener[name] as ((...given: typeof args) => void) | undefined)?.(...args);
  }
  const changed = (guildId: string | undefined): void => {
    if (guildId !== undefined) call('changed', guildId);
  };

  client.ws.on(
    GatewayDispatchEvents.ThreadUpdate,
    ({ id, guild_id: guildId, thread_metadata: state }: APIThreadChannel) => {
      threads.set(id, `${state?.archived} ${state?.locked}`);
      changed(guildId);
    },
  );
  client.ws.on(GatewayDispatchEvents.ThreadDelete, ({ id }: APIThreadChannel) => call('channelDeleted', id));
  client.ws.on(GatewayDispatchEvents.MessageDelete, ({ id }: GatewayMessageDeleteDispatchData) =>
    call('messagesDeleted', [id]),
  );
  client.ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ ids }: GatewayMessageDeleteBulkDispatchData) =>
    call('messagesDeleted', ids),
  );
  client.on(Events.GuildCreate, ({ id }) => call('joined', id));
  client.on(Events.GuildDelete, ({ id }) => call('left', id));
  client.on(Events.GuildAvailable, ({ id }) => changed(id));
  client.on(Events.GuildUpdate, (_, { id }) => changed(id));
  client.on(Events.GuildRoleCreate, ({ guild }) => changed(guild.id));
  client.on(Events.GuildRoleUpdate, (_, { guild }) => changed(guild.id));
  client.on(Events.GuildRoleDelete, ({ guild }) => changed(guild.id));
  // Without the GuildMembers intent, Discord sends this for the bot itself only.
  client.on(Events.GuildMemberUpdate, (_, { guild }) => changed(guild.id));
  client.on(Events.ChannelCreate, ({ guildId }) => changed(guildId));
  client.on(Events.ChannelUpdate, (_, channel) => channel.isDMBased() || changed(channel.guildId));
  client.on(Events.ChannelDelete, (channel) => {
    call('channelDeleted', channel.id);
    if (!channel.isDMBased()) changed(channel.guildId);
  });
  client.on(Events.ThreadCreate, ({ guildId }) => changed(guildId));
  client.on(Events.ShardReady, () => call('session'));
  client.on(Events.InteractionCreate, onInteraction);
  client.on(Events.Error, (error) => log.warn({ error: loggable(error) }, 'discord.js reported an error'));
  client.on(Events.ShardError, (error) =>
    log.debug({ error: loggable(error) }, 'connection to Discord failed'),
  );
  client.on(Events.ShardReconnecting, () => {
    if (!destroyed) log.info('connection to Discord lost, reconnecting');
  });
  client.on(Events.ShardResume, () => log.info('connection to Discord resumed'));
  client.on(Events.ShardDisconnect, ({ code }) => {
    if (destroyed) return;
    const refusal = refusals.get(code) ?? `it closed the connection with code ${code}`;
    settle({ refused: refusal });
    refusedLater(refusal);
  });

  const permissionsIn: Gateway['permissionsIn'] = (channelId) => {
    const channel = client.channels.cache.get(channelId);
    if (channel === undefined || channel.isDMBased()) return null;
    const { me } = channel.guild.members;
    if (me === null) return null;
    return { permissions: channel.permissionsFor(me).bitfield, isThread: channel.isThread() };
  };

  return {
    connect() {
      return new Promise((resolve) => {
        settle = resolve;
        client.once(Events.ClientReady, (ready) => resolve({ ready }));
        login = client.login(token);
        login.catch((error: unknown) => {
          if (isInvalidToken(error))
            resolve({ refused: refusals.get(GatewayCloseCodes.AuthenticationFailed)! });
          else resolve({ unreachable: error });
        });
      });
    },
    guilds: () => client.guilds.cache.map(({ id, name }) => ({ id, name: name ?? '' })),
    guildOf(channelId) {
      const channel = client.channels.cache.get(channelId);
      if (channel === undefined || channel.isDMBased()) return null;
      return { id: channel.guildId, locale: channel.guild.preferredLocale };
    },
    setPresence(presence) {
      client.user?.setPresence(presence);
    },
    isUnavailable: (guildId) =>
      client.guilds.cache.some(
        ({ id, available }) => !available && (guildId === undefined || id === guildId),
      ),
    accessOf(channelId) {
      const channel = client.channels.cache.get(channelId);
      const thread = threads.get(channelId) ?? '';
      if (channel === undefined || channel.isDMBased()) return `unknown ${thread}`;
      const { me } = channel.guild.members;
      const permissions = me === null ? null : channel.permissionsFor(me).bitfield;
      return `${permissions} ${thread}`;
    },
    permissionsIn,
    mayReadHistory(channelId) {
      const granted = permissionsIn(channelId)?.permissions ?? 0n;
      return (granted & PermissionFlagsBits.ReadMessageHistory) !== 0n;
    },
    ownId: () => client.user?.id ?? null,
    on(added) {
      listeners.add(added);
      return () => void listeners.delete(added);
    },
    onRefused(listener) {
      refusedLater = listener;
    },
    async destroy() {
      destroyed = true;
      // discord.js completes a running login even after destroy(), and destroy() works only once, so wait for the login first.
      await within(
        login.catch(() => {}),
        loginSettlesMs,
      );
      await client.destroy();
    },
  };
}
