import { randomBytes, randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { a2sRequest, challengePacket, infoPacket, playersPacket } from './a2s.ts';

export interface GameServerOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Query port; default 0: any free one. */
  port?: number;
  /** Where players join; default 2302. */
  gamePort?: number;
  name: string;
  /** Internal name: `chernarusplus`, `enoch`, `sakhal`. */
  map: string;
  maxPlayers: number;
  /** Players at the start. */
  players: number;
  /** Epoch ms. */
  now?: () => number;
}

type QueryKind = keyof typeof a2sRequest;

/** A player's time on the server; the same object from joining to leaving. */
export interface Session {
  /** Epoch ms. */
  readonly joinedAt: number;
}

/** Is called when players join and leave. */
interface SessionWatcher {
  joined(session: Session): void;
  left(session: Session): void;
}

/** A simulated DayZ server, as seen by queries. */
export interface SimulatedGameServer {
  readonly host: string;
  readonly port: number;
  /** The number of players now. */
  readonly players: number;
  readonly maxPlayers: number;
  /** The players, longest connected first. */
  readonly sessions: readonly Session[];
  /** Adds a watcher. */
  watch(watcher: SessionWatcher): void;
  /** Requests answered so far (challenges not counted), by kind. */
  readonly queries: Readonly<Record<QueryKind, number>>;
  /** Kept between 0 and `maxPlayers`. */
  setPlayers(count: number): void;
  join(): void;
  /** Removes a player; `index` counts from the longest connected, default the last who joined. */
  leave(index?: number): void;
  /** Length of the login queue. */
  setQueue(count: number): void;
  /** Makes the player list disagree with the count: this many entries, or null for the real list. */
  setListed(count: number | null): void;
  /** false: the machine is off and answers nothing. */
  setOnline(online: boolean): void;
  /** true: answers random bytes. */
  setGarbage(garbage: boolean): void;
  close(): Promise<void>;
}

/** Those of a server in third person at ten o'clock, besides its queue. */
const keywords = ['battleye', 'external', 'privHive', 'shard001', 'etm5.000000', 'entm0.650000', '10:00'];

/**
 * Starts a simulated DayZ server that answers A2S_INFO and A2S_PLAYER over UDP, with challenges.
 * @throws Error when the port is taken.
 */
export async function startSimulatedGameServer(options: GameServerOptions): Promise<SimulatedGameServer> {
  const { host = '127.0.0.1', now = Date.now, maxPlayers } = options;
  const startedAt = now();
  const challenge = randomInt(1, 0x7fffffff);
  const steamId = 90_071_992_547_409_920n + BigInt(randomInt(1, 2 ** 40));
  const queries: Record<QueryKind, number> = { info: 0, players: 0 };
  /** The longest connected first. */
  const sessions: Session[] = [];
  const watchers: SessionWatcher[] = [];
  let queue = 0;
  let listed: number | null = null;
  let online = true;
  let garbage = false;

  function join(joinedAt = now()): void {
    const session = { joinedAt };
    sessions.push(session);
    for (const watcher of watchers) watcher.joined(session);
  }

  function leave(index = sessions.length - 1): void {
    const [session] = sessions.splice(index, 1);
    if (session !== undefined) for (const watcher of watchers) watcher.left(session);
  }

  function setPlayers(count: number): void {
    const wanted = Math.max(0, Math.min(maxPlayers, Math.floor(count)));
    while (sessions.length < wanted) join();
    while (sessions.length > wanted) leave();
  }
  // Players who are there at the start joined some time before.
  for (let there = Math.min(maxPlayers, options.players); there > 0; there -= 1)
    join(startedAt - there * 173_000);

  const answers: Record<QueryKind, () => Buffer> = {
    info: () =>
      infoPacket({
        name: options.name,
        map: options.map,
        players: sessions.length,
        maxPlayers,
        version: '1.28.160345',
        gamePort: options.gamePort ?? 2302,
        steamId,
        keywords: [...keywords, `lqs${queue}`],
      }),
    players: () => {
      const seconds = sessions.map(({ joinedAt }) => (now() - joinedAt) / 1000);
      return playersPacket(
        listed === null ? seconds : Array.from({ length: listed }, (_, i) => seconds[i] ?? 60),
      );
    },
  };

  /** The answer to a datagram; null if a game server would ignore it. */
  function answer(message: Buffer): Buffer | null {
    if (message.length < 5 || message.readInt32LE() !== -1) return null;
    const kind = kindOf(message[4]);
    if (!kind) return null;
    if (readChallenge(message, kind) !== challenge) return challengePacket(challenge);
    queries[kind] += 1;
    return garbage ? randomBytes(randomInt(1, 200)) : answers[kind]();
  }

  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (message, from) => {
    const reply = online ? answer(message) : null;
    if (reply) socket.send(reply, from.port, from.address);
  });
  socket.bind(options.port ?? 0, host);
  await once(socket, 'listening');
  // When a client has closed its port, the system reports an error here, which does not concern the server.
  socket.on('error', () => {});

  return {
    host,
    port: socket.address().port,
    get players() {
      return sessions.length;
    },
    maxPlayers,
    sessions,
    watch: (watcher) => void watchers.push(watcher),
    queries,
    setPlayers,
    join: () => setPlayers(sessions.length + 1),
    leave,
    setQueue: (count) => void (queue = count),
    setListed: (count) => void (listed = count),
    setOnline: (value) => void (online = value),
    setGarbage: (value) => void (garbage = value),
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

function kindOf(type: number | undefined): QueryKind | null {
  for (const kind of ['info', 'players'] as const) if (a2sRequest[kind] === type) return kind;
  return null;
}

/** Where each request has its challenge: A2S_INFO after its text, A2S_PLAYER at the start; -1: it has none. */
function readChallenge(message: Buffer, kind: QueryKind): number {
  const offset = kind === 'info' ? 5 + 'Source Engine Query\0'.length : 5;
  return message.length >= offset + 4 ? message.readInt32LE(offset) : -1;
}
