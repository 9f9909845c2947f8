import {
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  Status,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type Interaction,
} from 'discord.js';
import type { Logger } from 'pino';
import { within } from '../../process/time-limit.ts';
import { noMentions } from '../answers/acknowledgement.ts';
import { answersWaitMs, closesWithinMs, guildsWithinMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { restOptions } from '../rest.ts';

/** What other parts of the bot may listen to. */
export interface GatewayListeners {
  joined(guildId: string): void;
  /** The guild's channels are no longer cached at this point. */
  left(guildId: string): void;
  /** The guild, its roles, its channels or the bot's roles changed, or the guild became available. */
  changed(guildId: string): void;
  /** A new session started, which has no presence yet. */
  session(): void;
  messagesDeleted(messageIds: readonly string[]): void;
}

export interface ClientOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  onInteraction: (interaction: Interaction) => void;
}

export type LoginOutcome =
  | { ready: DiscordClient<true> }
  /** The close code with which Discord refuses the bot. */
  | { refused: number }
  | { unreachable: unknown };

/** The states of a shard in which `client.destroy()` ends it. One that is connecting would connect all the same. */
const settled: ReadonlySet<Status> = new Set([Status.Ready, Status.WaitingForGuilds, Status.Disconnected]);

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** A client of discord.js for one login, with all shards. */
export function createGatewayClient(
  { token, apiUrl, log, onInteraction }: ClientOptions,
  listeners: Iterable<Partial<GatewayListeners>>,
) {
  const client = newClient(apiUrl);
  reportEvents(client, listeners);
  /** A shard has lost its connection. That is logged once: discord.js tries twice a second. */
  let isLost = false;
  let isClosed = false;
  let onDestroyed: () => void = () => undefined;

  function isSettled(): boolean {
    const { shards } = client.ws;
    return shards.size > 0 && shards.every(({ status }) => settled.has(status));
  }

  function review(): void {
    if (!isSettled()) return;
    if (isClosed) void client.destroy().then(onDestroyed);
    else if (isLost) log.info('connection to Discord resumed');
    isLost = false;
  }

  client.on(Events.InteractionCreate, (interaction) => {
    if (!isClosed) onInteraction(interaction);
  });
  client.on(Events.Error, (error) => log.warn({ error: loggable(error) }, 'discord.js reported an error'));
  client.on(Events.ShardError, (error) =>
    log.debug({ error: loggable(error) }, 'connection to Discord failed'),
  );
  client.on(Events.ShardReconnecting, () => {
    if (!isLost && !isClosed) log.info('connection to Discord lost, reconnecting');
    isLost = true;
  });
  // After discord.js has handled the event of this moment.
  const onSettled = (): void => void setImmediate(review);
  client.ws.on(GatewayDispatchEvents.Ready, onSettled);
  client.ws.on(GatewayDispatchEvents.Resumed, onSettled);
  client.on(Events.ShardDisconnect, onSettled);

  return {
    /**
     * Resolves with the first outcome; while Discord does not let it connect, there is none.
     * @param onRefused called with the close code when Discord closes a connection for good
     */
    login: async (onRefused: (code: number) => void): Promise<LoginOutcome> =>
      await new Promise((resolve) => {
        client.once(Events.ClientReady, (ready) => resolve({ ready }));
        client.once(Events.ShardDisconnect, ({ code }) => {
          resolve({ refused: code });
          if (!isClosed) onRefused(code);
        });
        client.login(token).catch((error: unknown) => {
          const isRefused = error instanceof Error && 'code' in error && error.code === 'TokenInvalid';
          resolve(isRefused ? { refused: GatewayCloseCodes.AuthenticationFailed } : { unreachable: error });
        });
      }),
    /** Ends the sessions: now, or as soon as no shard is connecting, for which it waits a moment. */
    async close(): Promise<void> {
      isClosed = true;
      const destroyed = new Promise<void>((resolve) => (onDestroyed = resolve));
      if (isSettled()) return await client.destroy();
      await within(destroyed, closesWithinMs);
    },
  };
}

function newClient(apiUrl: string | undefined): DiscordClient {
  return new DiscordClient({
    shards: 'auto',
    // Slash commands need no intent. Guilds keeps the guild cache current, GuildMessages reports deleted posts.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    allowedMentions: noMentions,
    rest: restOptions(apiUrl, answersWaitMs),
    waitGuildTimeout: guildsWithinMs,
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
}

/** Calls listeners for the events of a client. */
function reportEvents(client: DiscordClient, listeners: Iterable<Partial<GatewayListeners>>): void {
  const each = (call: (listener: Partial<GatewayListeners>) => void): void => {
    for (const listener of listeners) call(listener);
  };
  const changed = (guildId: string | undefined): void => {
    if (guildId !== undefined) each((listener) => listener.changed?.(guildId));
  };
  const messagesDeleted = (ids: readonly string[]): void =>
    each((listener) => listener.messagesDeleted?.(ids));

  client.on(Events.ShardReady, () => each((listener) => listener.session?.()));
  client.on(Events.GuildCreate, ({ id }) => each((listener) => listener.joined?.(id)));
  client.on(Events.GuildDelete, ({ id }) => each((listener) => listener.left?.(id)));
  client.on(Events.GuildAvailable, ({ id }) => changed(id));
  client.on(Events.GuildUpdate, (_, { id }) => changed(id));
  client.on(Events.GuildRoleCreate, ({ guild }) => changed(guild.id));
  client.on(Events.GuildRoleUpdate, (_, { guild }) => changed(guild.id));
  client.on(Events.GuildRoleDelete, ({ guild }) => changed(guild.id));
  // Without the GuildMembers intent, Discord sends this for the bot itself only.
  client.on(Events.GuildMemberUpdate, (_, { guild }) => changed(guild.id));
  client.on(Events.ChannelCreate, ({ guildId }) => changed(guildId));
  client.on(Events.ChannelUpdate, (_, channel) => channel.isDMBased() || changed(channel.guildId));
  client.on(Events.ChannelDelete, (channel) => channel.isDMBased() || changed(channel.guildId));
  client.on(Events.ThreadCreate, ({ guildId }) => changed(guildId));
  client.on(Events.ThreadUpdate, (_, { guildId }) => changed(guildId));
  client.on(Events.ThreadDelete, ({ guildId }) => changed(guildId));
  // discord.js reports these only of messages that it keeps.
  client.ws.on(GatewayDispatchEvents.MessageDelete, ({ id }: GatewayMessageDeleteDispatchData) =>
    messagesDeleted([id]),
  );
  client.ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ ids }: GatewayMessageDeleteBulkDispatchData) =>
    messagesDeleted(ids),
  );
}
