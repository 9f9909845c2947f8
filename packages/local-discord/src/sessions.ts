import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Presence } from './presence.ts';

/** A session of one shard: a client that lost its connection may resume it. */
export interface Session {
  id: string;
  intents: number;
  shard: readonly [id: number, count: number];
  sequence: number;
  /** What was dispatched, for a replay after RESUME. */
  log: { s: number; text: string }[];
  socket: WebSocket | null;
  /** Epoch ms at which its connection was lost. */
  detachedAt: number;
  presence: Presence;
}

/** Dispatches kept for a session whose client is away. */
const keptDispatches = 10_000;
/** How long a session waits for its client to resume. */
const resumableMs = 5 * 60_000;
/** These close codes end the session (Discord: Gateway, Disconnecting). */
const endingCodes = new Set([1000, 1001]);

/** The sessions of all shards, connected or waiting for their client. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(now: () => number, changed: () => void) {
    this.#now = now;
    this.#changed = changed;
  }

  open(start: Pick<Session, 'intents' | 'shard' | 'presence'>): Session {
    const id = randomUUID().replaceAll('-', '');
    const session = { ...start, id, sequence: 0, log: [], socket: null, detachedAt: this.#now() };
    this.#sessions.set(id, session);
    return session;
  }

  /** Those that are connected or may still be resumed. */
  all(): Session[] {
    for (const { id, socket, detachedAt } of this.#sessions.values()) {
      if (!socket && this.#now() - detachedAt > resumableMs) this.#sessions.delete(id);
    }
    return [...this.#sessions.values()];
  }

  connected(): Session[] {
    return this.all().filter(({ socket }) => socket !== null);
  }

  find(id: unknown): Session | undefined {
    return this.all().find((session) => session.id === id);
  }

  end({ id }: Session): void {
    this.#sessions.delete(id);
  }

  bind(session: Session, socket: WebSocket): void {
    session.socket = socket;
    socket.once('close', (code: number) => {
      if (session.socket !== socket) return;
      session.socket = null;
      session.detachedAt = this.#now();
      if (endingCodes.has(code)) this.end(session);
      this.#changed();
    });
  }

  /** Sends an event, or keeps it until the client resumes. */
  deliver(session: Session, event: string, data: unknown): void {
    session.sequence += 1;
    const text = JSON.stringify({ op: 0, t: event, s: session.sequence, d: data });
    session.log.push({ s: session.sequence, text });
    if (session.log.length > keptDispatches) session.log.shift();
    session.socket?.send(text);
  }
}

/** Whether a shard gets the events of a guild; null: of direct messages, which the first shard gets. */
export function serves([id, count]: Session['shard'], guildId: string | null): boolean {
  return guildId === null ? id === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === id;
}

/** The `shard` of an IDENTIFY; null: it is none. */
export function readShard(raw: unknown): Session['shard'] | null {
  if (raw === undefined) return [0, 1];
  const [id, count] = (Array.isArray(raw) ? raw : []) as unknown[];
  if (!Number.isInteger(id) || !Number.isInteger(count)) return null;
  return Number(id) >= 0 && Number(id) < Number(count) ? [Number(id), Number(count)] : null;
}
