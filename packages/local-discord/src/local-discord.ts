import type { Command, LocalEvent, Message } from './discord-types.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions } from './actions.ts';
import { listCommands } from './state/commands.ts';
import { createFailures } from './failures.ts';
import { Gateway, type GatewayControl, type GatewayOptions } from './gateway.ts';
import { addChannel, addGuild, type GuildOptions, type RoleOptions } from './state/guilds.ts';
import { createInteractions } from './interactions.ts';
import { deleteMessage, deleteMessages } from './state/messages.ts';
import { createPageServer } from './page-server/page-server.ts';
import type { PageOptions } from './page-server/page-options.ts';
import { createRest } from './rest/index.ts';
import type { RequestRecord } from './rest/request-record.ts';
import type { MessageLimits } from './rest/message-limits.ts';
import { serveFile } from './served-files.ts';
import { snowflakes } from './state/snowflakes.ts';
import type { Channel, State } from './state/state.ts';
import { botPermissions } from './state/permissions.ts';
import { setMember, setRole } from './state/roles.ts';
import { setThread } from './state/threads.ts';
import { channelJson, guildCreateJson } from './wire.ts';

export interface LocalDiscordOptions extends GatewayOptions {
  /** A loopback address; default 127.0.0.1. */
  host?: string;
  /** Default 0: any free one. */
  port?: number;
  /** The only bot token that is accepted. */
  token: string;
  applicationId?: string;
  /** Default: Bot. */
  botName?: string;
  /** Default: one guild with one channel. */
  guilds?: readonly GuildOptions[];
  /** Discord's 3 s for an acknowledgement. */
  acknowledgeWithinMs?: number;
  /** Limits of messages that the bot sends and edits; default none. */
  messageLimits?: MessageLimits;
  /** What the page shows besides the channels: a title, notices, and the members as whom a visitor may act. */
  page?: PageOptions;
  /** Epoch ms. */
  now?: () => number;
}

/** A Discord on this machine: the REST API and gateway that a bot sees, and what its members do. */
export type LocalDiscord = Awaited<ReturnType<typeof startLocalDiscord>>;

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts the local Discord on a loopback address.
 * @throws Error when the host is not loopback or the port is taken.
 */
export async function startLocalDiscord(options: LocalDiscordOptions) {
  const { host = '127.0.0.1', port = 0, now = Date.now } = options;
  if (!loopback.has(host)) throw new Error(`the local Discord serves loopback only, not ${host}`);
  const listeners = new Set<(event: LocalEvent) => void>();
  const state = createState(options, now, (event) => {
    for (const listener of listeners) listener(event);
  });
  for (const guild of options.guilds ?? defaultGuilds) addGuild(state, guild);

  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  const authority = host.includes(':') ? `[${host}]:${bound}` : `${host}:${bound}`;
  state.origin = `http://${authority}`;

  const gateway = new Gateway(state, `ws://${authority}/gateway`, options);
  state.dispatch = (...event) => gateway.dispatch(...event);
  const interactions = createInteractions(state, options.acknowledgeWithinMs ?? 3000);
  const failures = createFailures();
  /** Messages stay when the bot is removed from a guild. By channel. */
  const leftBehind = new Map<string, Channel['messages']>();
  const rest = createRest(state, interactions, failures, gateway, options.messageLimits);
  const actions = createActions(state, interactions);

  const subscribe = (listener: (event: LocalEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const page = createPageServer({ state, actions, gateway, options: options.page ?? {}, subscribe });

  server.on('request', (request, response) => {
    if (!isLoopbackHost(request.headers.host, bound)) return void response.writeHead(403).end();
    const url = parseUrl(request.url, state.origin);
    if (!url) return void response.writeHead(400).end();
    if (url.pathname.startsWith('/api/')) return void rest.handle(request, response, url);
    if (url.pathname.startsWith('/attachments/')) return serveFile(state, request, response, url);
    if (!page(request, response, url)) response.writeHead(404).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith('/gateway')) gateway.upgrade(request, socket, head);
    else socket.destroy();
  });

  const everybody = (guildId: string | null) => ({ guildId, intent: 1 });
  const changeChannels = (event: string, data: object, guildId: string | null): void => {
    state.dispatch(event, data, everybody(guildId));
    state.publish({ type: 'channelsChanged', guildId });
  };
  function known<T>(things: ReadonlyMap<string, T>, id: string): T {
    const found = things.get(id);
    if (found === undefined) throw new Error(`no ${id} in the local Discord`);
    return found;
  }
  return {
    ...actions,
    /** For `new Client({ rest: { api } })`. */
    apiUrl: `${state.origin}/api`,
    /** The page for people. */
    pageUrl: `${state.origin}/`,
    applicationId: state.applicationId,
    gateway: gateway as GatewayControl,
    /** Every REST request, oldest first. */
    requests: rest.requests as readonly RequestRecord[],
    /** Makes matching REST requests fail; the returned function ends it. */
    fail: failures.add,
    /** Messages of a channel, oldest first, as copies; private ones only of the given viewer. */
    messages(channelId: string, viewerId?: string): Message[] {
      const all = [...(state.channels.get(channelId)?.messages.values() ?? [])];
      return structuredClone(all.filter((one) => one.visibleTo === null || one.visibleTo === viewerId));
    },
    /** Deletes a message as a moderator would. False when there is none. */
    deleteMessage(channelId: string, messageId: string): boolean {
      const message = state.channels.get(channelId)?.messages.get(messageId);
      if (message) deleteMessage(state, message);
      return message !== undefined;
    },
    /** Deletes several at once. */
    deleteMessages(channelId: string, messageIds: readonly string[]): void {
      const channel = state.channels.get(channelId);
      if (channel) deleteMessages(state, channel, messageIds);
    },
    /** A thread of a channel, public unless it says otherwise. */
    addThread(parentId: string, thread: { id: string; name: string; isPrivate?: boolean }): void {
      const guild = known(state.guilds, known(state.channels, parentId).guildId ?? '');
      changeChannels('THREAD_CREATE', channelJson(addChannel(state, guild, thread, parentId)), guild.id);
    },
    setThread(threadId: string, change: { archived?: boolean; locked?: boolean }): void {
      setThread(state, known(state.channels, threadId), change);
    },
    /** Begins or ends an outage of a guild. */
    setGuildAvailable(guildId: string, available: boolean): void {
      const guild = known(state.guilds, guildId);
      guild.unavailable = !available;
      if (available) state.dispatch('GUILD_CREATE', guildCreateJson(state, guild), everybody(guildId));
      else state.dispatch('GUILD_DELETE', { id: guildId, unavailable: true }, everybody(guildId));
    },
    /** Keeps a picture that belongs to no message, such as a logo. Returns its address. */
    addPicture(name: string, contentType: string, bytes: Buffer): string {
      state.files.set(name, { contentType, bytes });
      return `${state.origin}/attachments/none/${name}/${name}`;
    },
    /** Grants the bot's own role these permission bits besides the usual ones. */
    grantBotRole(guildId: string, permissions: bigint): void {
      const guild = known(state.guilds, guildId);
      const [own = ''] = known(guild.members, state.bot.id).roles;
      setRole(state, guild, own, { permissions: botPermissions | permissions });
    },
    /** Changes a role, or adds it; null deletes it. */
    setRole(guildId: string, roleId: string, change: Partial<Omit<RoleOptions, 'id'>> | null): void {
      setRole(state, known(state.guilds, guildId), roleId, change);
    },
    /** The roles that a member has, as ids; null: there is no such member. */
    memberRoles(guildId: string, memberId: string): string[] | null {
      return state.guilds.get(guildId)?.members.get(memberId)?.roles.slice() ?? null;
    },
    /** Adds a member, or gives one exactly these roles, as a moderator would; null: the member leaves. */
    setMember(guildId: string, memberId: string, roles: readonly string[] | null): void {
      setMember(state, known(state.guilds, guildId), memberId, roles);
    },
    addChannel(guildId: string, channel: { id: string; name: string; topic?: string }): void {
      const added = addChannel(state, known(state.guilds, guildId), channel);
      changeChannels('CHANNEL_CREATE', channelJson(added), guildId);
    },
    /** Deletes a channel or a thread. */
    deleteChannel(channelId: string): boolean {
      const channel = state.channels.get(channelId);
      if (!channel) return false;
      state.channels.delete(channelId);
      if (channel.guildId !== null) state.guilds.get(channel.guildId)?.channels.delete(channelId);
      const event = channel.thread ? 'THREAD_DELETE' : 'CHANNEL_DELETE';
      changeChannels(event, channelJson(channel), channel.guildId);
      return true;
    },
    addGuild(guildOptions: GuildOptions): void {
      const guild = addGuild(state, guildOptions);
      for (const channel of guild.channels.values())
        channel.messages = leftBehind.get(channel.id) ?? channel.messages;
      changeChannels('GUILD_CREATE', guildCreateJson(state, guild), guild.id);
    },
    /** Removes the bot from a guild. What it wrote is there again with `addGuild` for the same channels. */
    removeGuild(guildId: string): boolean {
      const guild = state.guilds.get(guildId);
      if (!guild) return false;
      state.guilds.delete(guildId);
      for (const { id, messages } of guild.channels.values()) {
        leftBehind.set(id, messages);
        state.channels.delete(id);
      }
      changeChannels('GUILD_DELETE', { id: guildId }, guildId);
      return true;
    },
    /** Denies the bot these permission bits in a channel (0n lifts it). */
    denyBot(channelId: string, permissions: bigint): void {
      const channel = known(state.channels, channelId);
      const others = channel.overwrites.filter((overwrite) => overwrite.id !== state.bot.id);
      const own = { id: state.bot.id, type: 1 as const, allow: 0n, deny: permissions };
      channel.overwrites = permissions === 0n ? others : [...others, own];
      state.dispatch('CHANNEL_UPDATE', channelJson(channel), everybody(channel.guildId));
    },
    /** Registered commands: a guild's own, or the global ones. */
    commands: (guildId?: string): Command[] => structuredClone(listCommands(state, guildId ?? null)),
    /** Calls back for each event; the returned function ends it. */
    subscribe,
    async close(): Promise<void> {
      interactions.close();
      gateway.close();
      listeners.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether the Host header names this machine. Another name that resolves to it is another site's (DNS rebinding). */
function isLoopbackHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`);
}

function parseUrl(target: string | undefined, origin: string): URL | null {
  const text = `${origin}${target ?? '/'}`;
  return URL.canParse(text) ? new URL(text) : null;
}

const defaultGuilds: readonly GuildOptions[] = [
  { id: '1100000000000000100', name: 'Local', channels: [{ id: '1100000000000000200', name: 'general' }] },
];

function createState(options: LocalDiscordOptions, now: () => number, publish: State['publish']): State {
  const applicationId = options.applicationId ?? '1100000000000000900';
  const name = options.botName ?? 'Bot';
  const bot = { id: applicationId, username: name, displayName: name, bot: true };
  return {
    now,
    snowflake: snowflakes(now),
    applicationId,
    token: options.token,
    bot,
    origin: '',
    guilds: new Map(),
    channels: new Map(),
    users: new Map([[bot.id, bot]]),
    commands: new Map(),
    files: new Map(),
    dispatch: () => {},
    publish,
  };
}
