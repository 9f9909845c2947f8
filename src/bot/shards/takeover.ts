/**
 * A process continues the session of another one, or of its own previous run. discord.js does not provide for that: a client
 * that resumes gets no READY, so it would know neither its user nor its guilds and queue every interaction for ever. Here it
 * gets READY and the guilds from what is stored, through the connection manager that `ws.buildStrategy` hands out, before it
 * sends RESUME. Everything that depends on how discord.js works inside is in this file, and checked: its versions before
 * (`obstacleOf`), its state after (`faultAfterResume`). After a failure the caller logs in anew.
 */
import {
  DefaultDeviceProperty,
  GatewayDispatchEvents,
  GatewayOpcodes,
  SimpleShardingStrategy,
  version,
  type APIGatewayBotInfo,
  type Client,
  type ClientOptions,
} from 'discord.js';
import { closeOnce } from './close-once.ts';
import type { GuildState } from './guild-state.ts';
import { gateLogins } from './login-gate.ts';
import type { SessionHead, StoredSession } from './session-store.ts';

type Strategy = NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>;
type Manager = Parameters<Strategy>[0];
export type SessionInfo = NonNullable<Awaited<ReturnType<Manager['options']['retrieveSessionInfo']>>>;

/** Versions as they are: `discord.js 14.28.1, @discordjs/ws 1.2.3`. */
export const libraries = `discord.js ${version}, ${DefaultDeviceProperty}`;
/** With which the takeover was tried. A test fails when others are installed. */
const triedWith = /^discord\.js 14\.28\.\d+, @discordjs\/ws 1\.2\.\d+$/;

/** Discord keeps a session for a few minutes. */
const oldestMs = 10 * 60_000;
/** A session whose events end the process must not be resumed for ever. */
const mostAttempts = 3;

/** What a session must agree with to be resumed. */
export type Expected = Pick<SessionHead, 'shard' | 'shardCount' | 'intents' | 'tokenMark'>;

/** Why a stored session cannot be resumed here; null: it may be tried. */
export function obstacleOf(stored: SessionHead, expected: Expected, now: number): string | null {
  if (!triedWith.test(libraries)) return `taking sessions over was not tried with ${libraries}`;
  if (stored.libraries !== libraries) return 'another version of discord.js stored it';
  for (const name of ['shard', 'shardCount', 'intents', 'tokenMark'] as const) {
    if (stored[name] !== expected[name]) return `it has another ${names[name]}`;
  }
  if (now - stored.storedAt > oldestMs) return 'it is too old';
  if (stored.attempts >= mostAttempts) return `it ended ${stored.attempts} processes within a minute each`;
  return null;
}

const names = {
  shard: 'shard',
  shardCount: 'number of shards',
  intents: 'set of intents',
  tokenMark: 'token',
} as const;

/** These close codes end a session, and leave it resumable (Discord: Gateway, Disconnecting). */
const closeCodes = { end: 1000, keep: 4200 } as const;

export interface ConnectionOptions {
  /** What `GET /gateway/bot` said. */
  information: APIGatewayBotInfo;
  /** The session to resume; null: none. */
  stored: StoredSession | null;
  /** The session so far, after every event; null: it ended. */
  onSession: (session: SessionInfo | null) => void;
  /** RESUME is about to be sent. */
  onHello: () => void;
  /** Asked before each RESUME and IDENTIFY. */
  mayLogIn: () => Promise<boolean>;
  /** How the client leaves. */
  leaving: () => keyof typeof closeCodes;
}

/** The connection of one client: discord.js's own strategy for shards, with the session and the leave in our hands. */
export interface Connection {
  /** For `ws.buildStrategy`. */
  strategy: Strategy;
  /** Closes the connection without destroying the client. */
  leave(): Promise<void>;
}

export function createConnection(options: ConnectionOptions): Connection {
  let leave = async (): Promise<void> => undefined;
  let hasLeft = false;
  const strategy: Strategy = (manager) => {
    leave = async () => {
      await manager.destroy();
      hasLeft = true;
    };
    const { updateSessionInfo, rest } = manager.options;
    manager.options.updateSessionInfo = async (shardId, session) => {
      options.onSession(session);
      await updateSessionInfo(shardId, session);
    };
    // discord.js refuses to connect while no logins are left; a RESUME is none, and logins are counted elsewhere.
    const { session_start_limit: limit } = options.information;
    const remaining = Math.max(limit.remaining, 1);
    const information = { ...options.information, session_start_limit: { ...limit, remaining } };
    manager.options.rest = Object.assign(Object.create(rest) as typeof rest, {
      get: async () => information,
    });
    return new (class extends SimpleShardingStrategy {
      override async spawn(shardIds: number[]): Promise<void> {
        await super.spawn(shardIds);
        for (const shard of this['shards'].values()) {
          closeOnce(shard);
          // What has not left yet will.
          const refuse = async () => (hasLeft ? await shard.destroy({ code: closeCodes.keep }) : undefined);
          gateLogins(shard, options.mayLogIn, refuse);
        }
      }
      override async connect(): Promise<void> {
        if (options.stored !== null) await prepare(manager, options.stored, options.onHello);
        await super.connect();
      }
      override async destroy(how: Parameters<SimpleShardingStrategy['destroy']>[0]): Promise<void> {
        await super.destroy({ ...how, code: closeCodes[options.leaving()] });
      }
      override async send(...message: Parameters<SimpleShardingStrategy['send']>): Promise<void> {
        // discord.js does not await a presence. If the client leaves meanwhile, the unhandled error would end the process.
        await super.send(...message).catch(() => undefined);
      }
    })(manager);
  };
  return { strategy, leave: () => leave() };
}

async function prepare(manager: Manager, stored: StoredSession, onHello: () => void): Promise<void> {
  const { shard: shardId, shardCount, sessionId, sequence, resumeUrl: resumeURL } = stored.head;
  // After a second HELLO, the client knows everything.
  let replayed = false;
  const on = manager.on.bind(manager) as (event: string, listener: () => void) => unknown;
  on('hello', () => {
    onHello();
    if (replayed) return;
    replayed = true;
    replay(manager, stored);
  });
  await manager.options.updateSessionInfo(shardId, { shardId, shardCount, sessionId, sequence, resumeURL });
}

/** Tells discord.js what READY and the guilds' events would have said. */
function replay(manager: Manager, { head, guilds }: StoredSession): void {
  const { shard: shardId, shardCount, user, application, sessionId, sequence: s } = head;
  const emit = manager.emit.bind(manager) as (event: string, payload: object) => void;
  const ready = {
    v: 10,
    user,
    application,
    session_id: sessionId,
    resume_gateway_url: head.resumeUrl,
    shard: [shardId, shardCount],
  };
  const isKnown = (guild: GuildState) => !guild.unavailable;
  const idOf = ({ id }: GuildState) => ({ id, unavailable: true });
  // discord.js waits for the guilds of the first; those that are in an outage do not come.
  emit('ready', { shardId, data: { ...ready, guilds: guilds.filter(isKnown).map(idOf) } });
  const dispatch = (t: GatewayDispatchEvents, d: object): void =>
    emit('dispatch', { shardId, data: { op: GatewayOpcodes.Dispatch, t, s, d } });
  dispatch(GatewayDispatchEvents.Ready, { ...ready, guilds: guilds.map(idOf) });
  for (const guild of guilds.filter(isKnown)) dispatch(GatewayDispatchEvents.GuildCreate, guild);
}

/** What is wrong with a client after RESUMED; null: nothing. @param expected how many guilds it should be in */
export function faultAfterResume(client: Client, stored: SessionHead, expected: number): string | null {
  if (!client.isReady()) return 'discord.js is not ready';
  if (client.user.id !== stored.user.id) return 'discord.js has another user';
  if (client.application.id !== stored.application.id) return 'discord.js has another application';
  const { size } = client.guilds.cache;
  if (size !== expected) return `discord.js has ${size} guilds instead of ${expected}`;
  const blind = client.guilds.cache.find(({ available, members }) => available && members.me === null);
  return blind === undefined ? null : `discord.js does not know the bot in guild ${blind.id}`;
}
