import { lookup } from 'node:dns/promises';
import type { GameDig } from 'gamedig';
import { loadGameDig } from './gamedig.ts';
import { readFigures, readPlayers, readQueue, type ListedPlayer } from './reading.ts';

/** Where and how to ask a game server. */
export interface QueryTarget {
  game: string;
  host: string;
  port: number;
  /** Null: the query port follows from the game port by GameDig's rule for the game. */
  queryPort: number | null;
}

/** What one query of a game server said. Null: the query does not say it. */
export interface ServerReading {
  map: string | null;
  players: number | null;
  maxPlayers: number | null;
  /** Players who wait to get in. */
  queue: number | null;
  /** The entries of the player list, complete or not. */
  listed: ListedPlayer[];
  /** Epoch milliseconds. */
  observedAt: number;
}

/**
 * Why a query gave nothing: `no_answer` (silence or a refused connection: the server is down or unreachable) or
 * `unreadable` (its name does not resolve, or what came back is no answer to the query).
 */
export type QueryFailureReason = 'no_answer' | 'unreadable';

export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly reason: QueryFailureReason;

  constructor(reason: QueryFailureReason, cause: unknown) {
    super(
      reason === 'no_answer'
        ? 'the game server did not answer the query'
        : 'the game server could not be asked: its name does not resolve or its answer is not readable',
      { cause },
    );
    this.reason = reason;
  }
}

export type QueryServer = (target: QueryTarget) => Promise<ServerReading>;

export interface QueryOptions {
  now?: () => number;
  /** Silence after which one packet counts as lost; default 1.5 s. A query asks twice. */
  socketTimeoutMs?: number;
}

/** Bound on one attempt, however the server answers. */
const attemptTimeoutMs = 4_000;

/** Queries game servers through GameDig. Rejects with a `QueryError`, whatever the server does. */
export function createQuery({ now = Date.now, socketTimeoutMs = 1_500 }: QueryOptions = {}): QueryServer {
  const { GameDig: Querier } = loadGameDig();
  const gamedig = new Querier();
  const listening = listenAlong(gamedig);
  return async (target) => {
    const ear = listening(target);
    try {
      const result: unknown = await gamedig.query({
        type: target.game,
        host: target.host,
        port: target.queryPort ?? target.port,
        givenPortOnly: target.queryPort !== null,
        socketTimeout: socketTimeoutMs,
        attemptTimeout: attemptTimeoutMs,
        maxRetries: 2,
        requestRules: false,
      });
      const figures = readFigures(result);
      if (Object.values(figures).every((figure) => figure === null))
        throw new Error('the answer says nothing');
      return { ...figures, queue: readQueue(result), listed: readPlayers(result), observedAt: now() };
    } catch (error) {
      throw new QueryError(wasSilent(error) && !(await ear.heard()) ? 'no_answer' : 'unreadable', error);
    } finally {
      ear.close();
    }
  };
}

/** GameDig joins the stacks of all attempts in the last error's; a lost packet or refusal in each means silence. */
function wasSilent(error: unknown): boolean {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const attempts = stack.split(/^Attempt #\d+.*$/m).slice(1);
  const silent = /timed out|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/i;
  return attempts.length > 0 && attempts.every((text) => silent.test(text));
}

interface Ear {
  /** Whether any packet came from the target, readable or not. */
  heard(): Promise<boolean>;
  close(): void;
}

/** More senders than this cannot matter to one query. */
const mostSenders = 64;

/**
 * GameDig waits on when bytes come that it cannot read, and then reports a time-out. Whether a server was silent or
 * babbled is heard on its UDP socket, which its types do not name; without it, a time-out counts as silence.
 */
function listenAlong(gamedig: GameDig): (target: QueryTarget) => Ear {
  const ears = new Set<(address: string, port: number) => void>();
  const { queryRunner } = gamedig as unknown as {
    queryRunner?: { udpSocket?: { addCallback?(callback: (address: string, port: number) => void): void } };
  };
  queryRunner?.udpSocket?.addCallback?.((address, port) => {
    for (const ear of ears) ear(address, port);
  });
  return ({ host, queryPort }) => {
    const senders = new Set<string>();
    const ear = (address: string, port: number): void => {
      const fits = queryPort === null || port === queryPort;
      if (fits && senders.size < mostSenders) senders.add(address);
    };
    ears.add(ear);
    return {
      async heard() {
        if (senders.size === 0) return false;
        // Other servers may answer on the same port meanwhile: only this host's addresses count.
        const addresses = await lookup(host, { all: true }).catch(() => []);
        return addresses.some(({ address }) => senders.has(address));
      },
      close: () => void ears.delete(ear),
    };
  };
}
