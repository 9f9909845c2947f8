import type { Json } from './discord-types.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { readPresence, type Presence } from './presence.ts';
import { createSessionStarts, type SessionStartLimit } from './session-starts.ts';
import { readShard, serves, Sessions, type Session } from './sessions.ts';
import { guildCreateJson, memberJson, userJson } from './wire.ts';
import type { Audience, State } from './state/state.ts';

const opcode = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voiceState: 4,
  resume: 6,
  reconnect: 7,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

const guildsIntent = 1;
const heartbeatIntervalMs = 41_250;
/** Guilds of one shard, at most; Discord recommends a shard for each thousand. */
const guildsPerShard = 2_500;
const recommendedPerShard = 1_000;
/** Payloads that a connection may send in a minute. */
const payloadsPerMinute = 120;

/** What tests and the page do with the gateway: see what is connected, and make it fail. */
export interface GatewayControl {
  readonly url: string;
  /** Sessions that are connected at this moment. */
  readonly connected: number;
  /** IDENTIFYs received so far, refused ones included: `GET /gateway/bot` says how many are left. */
  readonly logins: number;
  /** IDENTIFYs and RESUMEs accepted so far. */
  readonly identifies: number;
  readonly resumes: number;
  /** Shards that are connected at this moment, in order. */
  readonly shards: readonly number[];
  /** Changes the number of shards that `GET /gateway/bot` recommends. */
  recommendShards(count: number): void;
  /** Closes every socket with a close code (4000 unknown error, 4009 session timed out, 4014 …). */
  closeAll(code: number, reason?: string): void;
  /** Cuts every connection without a close frame, as a lost network does. */
  dropAll(): void;
  /** Opcode 7: asks every client to reconnect and resume. */
  requestReconnect(): void;
  /** Opcode 9: invalidates every session; `resumable` says whether the client may try to resume. */
  invalidateSessions(resumable: boolean): void;
  /** While false, new connections are refused with 503. */
  setAvailable(available: boolean): void;
  /** The next `times` IDENTIFYs or RESUMEs are answered with this close code. */
  refuseIdentify(code: number, times?: number): void;
  presence(): Presence | null;
}

export interface Gateway extends GatewayControl {
  sessionStartLimit(): SessionStartLimit;
  recommendedShards(): number;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  dispatch(event: string, data: unknown, audience: Audience): void;
  close(): void;
}

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

/**
 * Discord's gateway, version 10, JSON, uncompressed: HELLO, IDENTIFY, READY, GUILD_CREATE, heartbeats, RESUME with a
 * replay of what was missed (Discord: Gateway). Privileged intents that are not granted close 4014. A bot that identifies
 * more often than it may in a day loses its token, as at Discord.
 */
export function createGateway(state: State, url: string, options: GatewayOptions): Gateway {
  const { privilegedIntents: privileged = 0, sessionStarts: total = 1_000, shards } = options;
  const { maxConcurrency = 1 } = options;
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const sessions = new Sessions(state.now, publishBot);
  let available = true;
  const starts = createSessionStarts(total, maxConcurrency, state.now);
  let recommended = shards ?? null;
  let identifies = 0;
  let resumes = 0;
  let refusal: { code: number; times: number } | null = null;

  const send = (socket: WebSocket, payload: object): void => socket.send(JSON.stringify(payload));

  function publishBot(): void {
    const [live] = sessions.connected();
    const presence = live?.presence ?? { status: 'offline', activity: null };
    state.publish({ type: 'bot', online: live !== undefined, ...presence });
  }

  function refused(socket: WebSocket, token: unknown): boolean {
    if (refusal && refusal.times > 0) {
      refusal.times -= 1;
      socket.close(refusal.code);
      return true;
    }
    if (token === state.token) return false;
    socket.close(4004, 'Authentication failed.');
    return true;
  }

  function identify(socket: WebSocket, data: Json): Session | null {
    const shard = readShard(data['shard']);
    if (!starts.add()) state.token = randomUUID();
    if (refused(socket, data['token'])) return null;
    if (shard === null) {
      socket.close(4010, 'Invalid shard.');
      return null;
    }
    const guilds = [...state.guilds.values()].filter((guild) => serves(shard, guild.id));
    if (guilds.length > guildsPerShard) {
      socket.close(4011, 'Sharding required.');
      return null;
    }
    const intents = Number(data['intents']);
    if (!Number.isInteger(intents) || intents < 0) {
      socket.close(4013, 'Invalid intent(s).');
      return null;
    }
    const privilegedIntents = (1 << 1) | (1 << 8) | (1 << 15);
    if (intents & privilegedIntents & ~privileged) {
      socket.close(4014, 'Disallowed intent(s).');
      return null;
    }
    const presence = readPresence(data['presence']) ?? { status: 'online', activity: null };
    const session = sessions.open({ intents, shard, presence });
    identifies += 1;
    sessions.bind(session, socket);
    sessions.deliver(session, 'READY', {
      v: 10,
      user: { ...userJson(state.bot), verified: true, mfa_enabled: false, email: null },
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: url,
      shard,
      application: { id: state.applicationId, flags: 0 },
      user_settings: {},
      relationships: [],
      private_channels: [],
      presences: [],
      _trace: [],
    });
    if (intents & guildsIntent) {
      for (const guild of guilds.filter(({ unavailable }) => !unavailable))
        sessions.deliver(session, 'GUILD_CREATE', guildCreateJson(state, guild));
    }
    publishBot();
    return session;
  }

  function resume(socket: WebSocket, data: Json): Session | null {
    if (refused(socket, data['token'])) return null;
    const session = sessions.find(data['session_id']);
    const since = Number(data['seq']);
    if (session && since > session.sequence) {
      socket.close(4007, 'Invalid seq.');
      return null;
    }
    const first = session?.log[0]?.s ?? 1;
    if (!session || !(since >= first - 1)) {
      if (session) sessions.end(session);
      send(socket, { op: opcode.invalidSession, d: false });
      return null;
    }
    // Discord does not document what becomes of a connection whose session another one resumes.
    session.socket?.terminate();
    resumes += 1;
    sessions.bind(session, socket);
    for (const { s, text } of session.log) if (s > since) socket.send(text);
    sessions.deliver(session, 'RESUMED', { _trace: [] });
    publishBot();
    return session;
  }

  function requestMembers(session: Session, data: Json): void {
    const guild = state.guilds.get(String(data['guild_id']));
    if (!guild) return;
    const { user_ids: ids } = data as { user_ids?: string | string[] };
    const asked = [...guild.members].filter(([id]) => ids === undefined || [ids].flat().includes(id));
    sessions.deliver(session, 'GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: asked.map(([, { user }]) => memberJson(guild, user)),
      chunk_index: 0,
      chunk_count: 1,
      ...(typeof data['nonce'] === 'string' && { nonce: data['nonce'] }),
    });
  }

  function converse(socket: WebSocket): void {
    let session: Session | null = null;
    send(socket, {
      op: opcode.hello,
      d: { heartbeat_interval: heartbeatIntervalMs, _trace: [] },
    });
    let minute = { since: state.now(), count: 0 };
    socket.on('message', (raw: Buffer) => {
      if (state.now() - minute.since >= 60_000) minute = { since: state.now(), count: 0 };
      minute.count += 1;
      if (minute.count > payloadsPerMinute) return socket.close(4008, 'Rate limited.');
      const payload = parse(raw);
      if (!payload) return socket.close(4002, 'Error while decoding payload.');
      const data = (payload['d'] ?? {}) as Json;
      switch (payload['op']) {
        case opcode.heartbeat:
          return send(socket, { op: opcode.heartbeatAck });
        case opcode.identify:
          if (session?.socket === socket) return socket.close(4005, 'Already authenticated.');
          session = identify(socket, data);
          return;
        case opcode.resume:
          if (session?.socket === socket) return socket.close(4005, 'Already authenticated.');
          session = resume(socket, data);
          return;
      }
      if (!session) return socket.close(4003, 'Not authenticated.');
      switch (payload['op']) {
        case opcode.presence:
          session.presence = readPresence(data) ?? session.presence;
          return publishBot();
        case opcode.requestMembers:
          return requestMembers(session, data);
        case opcode.voiceState:
          return;
        default:
          return socket.close(4001, 'Unknown opcode.');
      }
    });
    socket.on('error', () => socket.terminate());
  }

  const sockets = (): WebSocket[] => [...server.clients];

  return {
    url,
    get connected() {
      return sessions.connected().length;
    },
    get shards() {
      return sessions
        .connected()
        .map(({ shard }) => shard[0])
        .toSorted((one, other) => one - other);
    },
    sessionStartLimit: starts.limit,
    recommendedShards: () => recommended ?? Math.max(1, Math.ceil(state.guilds.size / recommendedPerShard)),
    recommendShards(count) {
      recommended = count;
    },
    get logins() {
      return starts.count;
    },
    get identifies() {
      return identifies;
    },
    get resumes() {
      return resumes;
    },
    upgrade(request, socket, head) {
      if (!available) return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      server.handleUpgrade(request, socket, head, converse);
    },
    dispatch(event, data, { guildId, intent }) {
      for (const session of sessions.all().filter(({ shard }) => serves(shard, guildId))) {
        if (intent === 0 || session.intents & intent) sessions.deliver(session, event, data);
      }
    },
    closeAll(code, reason) {
      for (const socket of sockets()) socket.close(code, reason);
    },
    dropAll() {
      for (const socket of sockets()) socket.terminate();
    },
    requestReconnect() {
      for (const socket of sockets()) send(socket, { op: opcode.reconnect, d: null });
    },
    invalidateSessions(resumable) {
      for (const session of sessions.all()) {
        const { socket } = session;
        session.socket = null;
        if (socket) send(socket, { op: opcode.invalidSession, d: resumable });
        if (!resumable) sessions.end(session);
      }
    },
    setAvailable(value) {
      available = value;
    },
    refuseIdentify(code, times = 1) {
      refusal = { code, times };
    },
    presence: () => sessions.connected()[0]?.presence ?? null,
    close() {
      for (const socket of sockets()) socket.terminate();
      server.close();
    },
  };
}

function parse(raw: Buffer): Json | null {
  try {
    const payload: unknown = JSON.parse(raw.toString('utf8'));
    return typeof payload === 'object' && payload !== null ? (payload as Json) : null;
  } catch {
    return null;
  }
}
