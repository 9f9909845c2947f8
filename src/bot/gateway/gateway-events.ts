import {
  Events,
  GatewayDispatchEvents,
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
  /** A new session started, which has no presence yet. */
  session(): void;
  messagesDeleted(messageIds: readonly string[]): void;
}

/** Calls listeners for the events of a client. */
export function reportEvents(client: DiscordClient, listeners: Iterable<Partial<GatewayListeners>>): void {
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
