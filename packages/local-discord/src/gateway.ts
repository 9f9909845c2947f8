import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Json } from './discord-types.ts';
import type { BotStatus } from './page/protocol.ts';
import { type Presence, readPresence } from './presence.ts';
import { createSessionStarts } from './session-starts.ts';
import { readShard, serves, Sessions, type Session } from './sessions.ts';
import type { Audience, State } from './state/state.ts';
import { guildCreateJson, memberJson, userJson } from './wire.ts';

const privilegedIntents =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
const heartbeatIntervalMs = 41_250;
/** Guilds of one shard, at most; Discord recommends a shard for each thousand. */
const guildsPerShard = 2_500;
const recommendedPerShard = 1_000;
/** Payloads that a connection may send in a minute. */
const payloadsPerMinute = 120;

export interface GatewayOptions {
  /** Privileged intents that the application has (bit field). Default: none. */
  privilegedIntents?: number | undefined;
  /** IDENTIFYs that a bot may send in 24 hours. Default: 1,000. */
  sessionStarts?: number | undefined;
  /** How many shards `GET /gateway/bot` lets IDENTIFY within 5 seconds; none is refused. Default: 1. */
  maxConcurrency?: number | undefined;
  /** Shards that `GET /gateway/bot` recommends. Default: one for each thousand guilds. */
  shards?: number | undefined;
}

/** What tests do with the gateway: see what is connected, and make it fail. */
export type GatewayControl = Omit<Gateway, 'announcement' | 'upgrade' | 'dispatch' | 'close'>;

/**
 * Discord's gateway, version 10, JSON, uncompressed: HELLO, IDENTIFY, READY, GUILD_CREATE, heartbeats, RESUME with a
 * replay of what was missed (Discord: Gateway). Privileged intents that are not granted close 4014. A bot that identifies
 * more often than it may in a day loses its token, as at Discord.
 */
export class Gateway {
  readonly url: string;
  /** IDENTIFYs and RESUMEs accepted so far. */
  identifies = 0;
  resumes = 0;
  readonly #state: State;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  readonly #sessions: Sessions;
  readonly #starts: ReturnType<typeof createSessionStarts>;
  /** Privileged intents that the application has. */
  readonly #granted: number;
  #recommended: number | null;
  #isAvailable = true;
  #refusal = { code: 0, times: 0 };

  constructor(state: State, url: string, options: GatewayOptions) {
    const { sessionStarts = 1_000, maxConcurrency = 1 } = options;
    this.url = url;
    this.#state = state;
    this.#sessions = new Sessions(state.now, () => this.#publishBot());
    this.#starts = createSessionStarts(sessionStarts, maxConcurrency, state.now);
    this.#granted = options.privilegedIntents ?? 0;
    this.#recommended = options.shards ?? null;
  }

  /** Sessions that are connected at this moment. */
  get connected(): number {
    return this.#sessions.connected().length;
  }

  /** IDENTIFYs received so far, refused ones included: `GET /gateway/bot` says how many are left. */
  get logins(): number {
    return this.#starts.count;
  }

  /** Shards that are connected at this moment, in order. */
  get shards(): readonly number[] {
    const connected = this.#sessions.connected().map(({ shard }) => shard[0]);
    return connected.toSorted((one, other) => one - other);
  }

  presence(): Presence | null {
    return this.#sessions.connected()[0]?.presence ?? null;
  }

  /** The bot as members see it. */
  get botStatus(): BotStatus {
    const presence = this.presence();
    return { online: presence !== null, ...(presence ?? { status: 'offline', activity: null }) };
  }

  /** Changes the number of shards that `GET /gateway/bot` recommends. */
  recommendShards(count: number): void {
    this.#recommended = count;
  }

  /** Closes every socket with a close code (4000 unknown error, 4009 session timed out, 4014 …). */
  closeAll(code: number, reason?: string): void {
    for (const socket of this.#server.clients) socket.close(code, reason);
  }

  /** Cuts every connection without a close frame, as a lost network does. */
  dropAll(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  /** Opcode 7: asks every client to reconnect and resume. */
  requestReconnect(): void {
    for (const socket of this.#server.clients) send(socket, { op: GatewayOpcodes.Reconnect, d: null });
  }

  /** Opcode 9: invalidates every session; `resumable` says whether the client may try to resume. */
  invalidateSessions(resumable: boolean): void {
    for (const session of this.#sessions.all()) {
      const { socket } = session;
      session.socket = null;
      if (socket) send(socket, { op: GatewayOpcodes.InvalidSession, d: resumable });
      if (!resumable) this.#sessions.end(session);
    }
  }

  /** While false, new connections are refused with 503. */
  setAvailable(available: boolean): void {
    this.#isAvailable = available;
  }

  /** The next `times` IDENTIFYs or RESUMEs are answered with this close code. */
  refuseIdentify(code: number, times = 1): void {
    this.#refusal = { code, times };
  }

  /** What `GET /gateway/bot` answers. */
  get announcement(): object {
    const shards = Math.max(1, Math.ceil(this.#state.guilds.size / recommendedPerShard));
    const limit = this.#starts.limit();
    return { url: this.url, shards: this.#recommended ?? shards, session_start_limit: limit };
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#isAvailable) this.#server.handleUpgrade(request, socket, head, (one) => this.#converse(one));
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
  }

  dispatch(event: string, data: unknown, { guildId, intent }: Audience): void {
    for (const session of this.#sessions.all()) {
      const isAsked = intent === 0 || (session.intents & intent) !== 0;
      if (isAsked && serves(session.shard, guildId)) this.#sessions.deliver(session, event, data);
    }
  }

  close(): void {
    this.dropAll();
    this.#server.close();
  }

  #publishBot(): void {
    this.#state.publish({ type: 'bot', ...this.botStatus });
  }

  #converse(socket: WebSocket): void {
    let session: Session | null = null;
    send(socket, { op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatIntervalMs, _trace: [] } });
    const { now } = this.#state;
    let minute = { since: now(), count: 0 };
    socket.on('message', (raw: Buffer) => {
      if (now() - minute.since >= 60_000) minute = { since: now(), count: 0 };
      minute.count += 1;
      if (minute.count > payloadsPerMinute) return socket.close(4008, 'Rate limited.');
      const payload = parse(raw);
      if (!payload) return socket.close(4002, 'Error while decoding payload.');
      const { op } = payload;
      const data = (payload['d'] ?? {}) as Json;
      if (op === GatewayOpcodes.Heartbeat) return send(socket, { op: GatewayOpcodes.HeartbeatAck });
      if (op === GatewayOpcodes.Identify || op === GatewayOpcodes.Resume) {
        if (session?.socket === socket) return socket.close(4005, 'Already authenticated.');
        const isNew = op === GatewayOpcodes.Identify;
        session = isNew ? this.#identify(socket, data) : this.#resume(socket, data);
        return;
      }
      if (!session) return socket.close(4003, 'Not authenticated.');
      switch (op) {
        case GatewayOpcodes.PresenceUpdate:
          session.presence = readPresence(data) ?? session.presence;
          return this.#publishBot();
        case GatewayOpcodes.RequestGuildMembers:
          return this.#requestMembers(session, data);
        case GatewayOpcodes.VoiceStateUpdate:
          return;
        default:
          return socket.close(4001, 'Unknown opcode.');
      }
    });
    socket.on('error', () => socket.terminate());
  }

  #identify(socket: WebSocket, data: Json): Session | null {
    const state = this.#state;
    const shard = readShard(data['shard']);
    if (!this.#starts.add()) state.token = randomUUID();
    if (this.#isRefused(socket, data['token'])) return null;
    if (shard === null) return refuse(socket, 4010, 'Invalid shard.');
    const guilds = [...state.guilds.values()].filter((guild) => serves(shard, guild.id));
    if (guilds.length > guildsPerShard) return refuse(socket, 4011, 'Sharding required.');
    const intents = Number(data['intents']);
    if (!Number.isInteger(intents) || intents < 0) return refuse(socket, 4013, 'Invalid intent(s).');
    if (intents & privilegedIntents & ~this.#granted) return refuse(socket, 4014, 'Disallowed intent(s).');
    const presence = readPresence(data['presence']) ?? { status: 'online', activity: null };
    const session = this.#sessions.open({ intents, shard, presence });
    this.identifies += 1;
    this.#sessions.bind(session, socket);
    this.#sessions.deliver(session, 'READY', {
      v: 10,
      user: { ...userJson(state.bot), verified: true, mfa_enabled: false, email: null },
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: this.url,
      shard,
      application: { id: state.applicationId, flags: 0 },
      user_settings: {},
      relationships: [],
      private_channels: [],
      presences: [],
      _trace: [],
    });
    if (intents & GatewayIntentBits.Guilds) {
      for (const guild of guilds.filter(({ unavailable }) => !unavailable))
        this.#sessions.deliver(session, 'GUILD_CREATE', guildCreateJson(state, guild));
    }
    this.#publishBot();
    return session;
  }

  #resume(socket: WebSocket, data: Json): Session | null {
    if (this.#isRefused(socket, data['token'])) return null;
    const session = this.#sessions.find(data['session_id']);
    const since = Number(data['seq']);
    if (session && since > session.sequence) return refuse(socket, 4007, 'Invalid seq.');
    const first = session?.log[0]?.s ?? 1;
    if (!session || !(since >= first - 1)) {
      if (session) this.#sessions.end(session);
      send(socket, { op: GatewayOpcodes.InvalidSession, d: false });
      return null;
    }
    // Discord does not document what becomes of a connection whose session another one resumes.
    session.socket?.terminate();
    this.resumes += 1;
    this.#sessions.bind(session, socket);
    for (const { s, text } of session.log) if (s > since) socket.send(text);
    this.#sessions.deliver(session, 'RESUMED', { _trace: [] });
    this.#publishBot();
    return session;
  }

  #isRefused(socket: WebSocket, token: unknown): boolean {
    if (this.#refusal.times > 0) {
      this.#refusal.times -= 1;
      socket.close(this.#refusal.code);
      return true;
    }
    if (token === this.#state.token) return false;
    socket.close(4004, 'Authentication failed.');
    return true;
  }

  #requestMembers(session: Session, data: Json): void {
    const guild = this.#state.guilds.get(String(data['guild_id']));
    if (!guild) return;
    const { user_ids: ids } = data as { user_ids?: string | string[] };
    const asked = [...guild.members].filter(([id]) => ids === undefined || [ids].flat().includes(id));
    this.#sessions.deliver(session, 'GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: asked.map(([, { user }]) => memberJson(guild, user)),
      chunk_index: 0,
      chunk_count: 1,
      ...(typeof data['nonce'] === 'string' && { nonce: data['nonce'] }),
    });
  }
}

const send = (socket: WebSocket, payload: object): void => socket.send(JSON.stringify(payload));

function refuse(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}

function parse(raw: Buffer): Json | null {
  try {
    const payload: unknown = JSON.parse(raw.toString('utf8'));
    return typeof payload === 'object' && payload !== null ? (payload as Json) : null;
  } catch {
    return null;
  }
}
