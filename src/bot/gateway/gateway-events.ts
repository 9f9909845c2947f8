import {
  Events,
  GatewayDispatchEvents,
  type APIThreadChannel,
  type Client as DiscordClient,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
} from 'discord.js';

export interface GatewayListeners {
  joined(guildId: string): void;
  /** The guild's channels are no longer cached at this point. */
  left(guildId: string): void;
  /** The guild, its roles, its channels or the bot's roles changed, or the guild became available. */
  changed(guildId: string): void;
  session(): void;
  messagesDeleted(messageIds: readonly string[]): void;
  /** A channel or a thread was deleted. */
  channelDeleted(channelId: string): void;
}

type Call = <Name extends keyof GatewayListeners>(
  name: Name,
  ...args: Parameters<GatewayListeners[Name]>
) => void;

/**
 * Calls listeners for the events of a client.
 * @param threads gets the state of threads, which discord.js does not keep for archived ones
 */
export function reportEvents(
  client: DiscordClient,
  call: Call,
  threads: { set(id: string, state: string): unknown },
): void {
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
}
