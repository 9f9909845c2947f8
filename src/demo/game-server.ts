import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface GameServerOptions {
  /** Query port; default 0: any free one. */
  port?: number;
  /** Where players join; default 2302. */
  gamePort?: number;
  name: string;
  /** Internal name: `chernarusplus`, `enoch`, `sakhal`. */
  map: string;
  maxPlayers: number;
  players: number;
  /** Epoch ms. */
  now?: () => number;
}

/** The second byte of requests of Valve's server query protocol (A2S: developer.valvesoftware.com/wiki/Server_queries). */
const requests = { info: 0x54, players: 0x55 } as const;
type QueryKind = keyof typeof requests;
const dayzAppId = 221100;

/** A player's time on the server; the same object from joining to leaving. */
export interface Session {
  /** Epoch ms. */
  readonly joinedAt: number;
}

interface SessionWatcher {
  joined(session: Session): void;
  left(session: Session): void;
}

/** Those of a server in third person at ten o'clock, besides its queue. */
const keywords = ['battleye', 'external', 'privHive', 'shard001', 'etm5.000000', 'entm0.650000', '10:00'];

/** A simulated DayZ server, as seen by queries: it answers A2S_INFO and A2S_PLAYER over UDP, with challenges. */
export class SimulatedGameServer {
  readonly port: number;
  readonly maxPlayers: number;
  /** The players, longest connected first. */
  readonly sessions: Session[] = [];
  /** Requests answered so far (challenges not counted), by kind. */
  readonly queries: Record<QueryKind, number> = { info: 0, players: 0 };
  queue = 0;
  /** The player list has this many entries, whatever the count is; null: those of the players. */
  listed: number | null = null;
  /** False: the machine is off and answers nothing. */
  isOnline = true;
  /** True: answers random bytes. */
  sendsGarbage = false;
  readonly #options: GameServerOptions;
  readonly #now: () => number;
  readonly #socket: Socket;
  readonly #watchers: SessionWatcher[] = [];
  readonly #challenge = randomInt(1, 0x7fffffff);
  readonly #steamId = 90_071_992_547_409_920n + BigInt(randomInt(1, 2 ** 40));

  constructor(socket: Socket, options: GameServerOptions) {
    const { now = Date.now, maxPlayers, players } = options;
    this.port = socket.address().port;
    this.maxPlayers = maxPlayers;
    this.#options = options;
    this.#now = now;
    this.#socket = socket;
    // Players who are there at the start joined some time before.
    for (let there = Math.min(maxPlayers, players); there > 0; there -= 1)
      this.sessions.push({ joinedAt: now() - there * 173_000 });
    socket.on('message', (message, from) => {
      const answer = this.isOnline ? this.#answer(message) : null;
      if (answer) socket.send(answer, from.port, from.address);
    });
    // When a client has closed its port, the system reports an error here, which does not concern the server.
    socket.on('error', () => {});
  }

  get players(): number {
    return this.sessions.length;
  }

  watch(watcher: SessionWatcher): void {
    this.#watchers.push(watcher);
  }

  /** Kept between 0 and `maxPlayers`. */
  setPlayers(count: number): void {
    const wanted = Math.max(0, Math.min(this.maxPlayers, Math.floor(count)));
    while (this.players < wanted) {
      const session = { joinedAt: this.#now() };
      this.sessions.push(session);
      for (const watcher of this.#watchers) watcher.joined(session);
    }
    while (this.players > wanted) this.leave();
  }

  join(): void {
    this.setPlayers(this.players + 1);
  }

  /** Removes a player; `index` counts from the longest connected, default the last who joined. */
  leave(index = this.players - 1): void {
    const [session] = this.sessions.splice(index, 1);
    if (session !== undefined) for (const watcher of this.#watchers) watcher.left(session);
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  /** The answer to a datagram; null if a game server would ignore it. */
  #answer(message: Buffer): Buffer | null {
    if (message.length < 5 || message.readInt32LE() !== -1) return null;
    const kind = (['info', 'players'] as const).find((one) => requests[one] === message[4]);
    if (kind === undefined) return null;
    if (readChallenge(message, kind) !== this.#challenge) return packet(0x41, integer(this.#challenge, 4));
    this.queries[kind] += 1;
    if (this.sendsGarbage) return randomBytes(randomInt(1, 200));
    return kind === 'info' ? this.#info() : this.#list();
  }

  /** The application in the 64-bit game id, and the state in the keywords, as a DayZ server has them. */
  #info(): Buffer {
    const { name, map, gamePort = 2302 } = this.#options;
    const extra = 0x80 | 0x10 | 0x20 | 0x01;
    return packet(
      0x49,
      bytes(17),
      text(name),
      text(map),
      text('dayz'),
      text('DayZ'),
      integer(0, 2),
      bytes(Math.min(this.players, 255), Math.min(this.maxPlayers, 255), 0),
      Buffer.from('dw'),
      bytes(0, 1),
      text('1.28.160345'),
      bytes(extra),
      integer(gamePort, 2),
      integer(this.#steamId, 8),
      text([...keywords, `lqs${this.queue}`].join(',')),
      integer(dayzAppId, 8),
    );
  }

  /** DayZ sends no names, no scores, only how long each has been connected, in seconds. */
  #list(): Buffer {
    const seconds = this.sessions.map(({ joinedAt }) => (this.#now() - joinedAt) / 1000);
    const length = this.listed ?? seconds.length;
    const entries = Array.from({ length: Math.min(length, 255) }, (_, index) => {
      const entry = Buffer.alloc(10);
      entry.writeFloatLE(seconds[index] ?? 60, 6);
      return entry;
    });
    return packet(0x44, bytes(entries.length), ...entries);
  }
}

/** @throws Error when the port is taken */
export async function startSimulatedGameServer(options: GameServerOptions): Promise<SimulatedGameServer> {
  const socket = createSocket('udp4');
  socket.bind(options.port ?? 0, '127.0.0.1');
  await once(socket, 'listening');
  return new SimulatedGameServer(socket, options);
}

/** Where each request has its challenge: A2S_INFO after its text, A2S_PLAYER at the start; -1: it has none. */
function readChallenge(message: Buffer, kind: QueryKind): number {
  const offset = kind === 'info' ? 5 + 'Source Engine Query\0'.length : 5;
  return message.length >= offset + 4 ? message.readInt32LE(offset) : -1;
}

function packet(type: number, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(5);
  header.writeInt32LE(-1);
  header.writeUInt8(type, 4);
  return Buffer.concat([header, ...parts]);
}

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll('\0', '')}\0`, 'utf8');
const bytes = (...values: number[]): Buffer => Buffer.from(values);

function integer(value: number | bigint, size: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return buffer.subarray(0, size);
}
