import type { GameDig } from 'gamedig';
import { systemClock } from '../../process/clock.ts';
import { createFindAddress, type FindAddress } from './addresses.ts';
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
 * Why a query gave nothing. `no_answer`: silence or a refused connection; the server is down. `unreadable`: what came back
 * is no answer to the query. `not_asked`: its host name does not resolve, or this machine's own network is down, which says
 * nothing of the server.
 */
export type QueryFailureReason = 'no_answer' | 'unreadable' | 'not_asked';

const messages: Readonly<Record<QueryFailureReason, string>> = {
  no_answer: 'the game server did not answer the query',
  unreadable: 'what the game server answered to the query is not readable',
  not_asked:
    'the game server could not be asked: its host name does not resolve, or this machine has no network',
};

export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly reason: QueryFailureReason;

  constructor(reason: QueryFailureReason, cause: unknown) {
    super(messages[reason], { cause });
    this.reason = reason;
  }
}

export type QueryServer = (target: QueryTarget) => Promise<ServerReading>;

export interface QueryOptions {
  now?: () => number;
  /** Silence after which one packet counts as lost; default 1.5 s. A query asks twice. */
  socketTimeoutMs?: number;
  findAddress?: FindAddress;
}

/** Bound on one attempt, however the server answers. */
const attemptTimeoutMs = 4_000;

/** Queries game servers through GameDig. Rejects with a `QueryError`, whatever the server does. */
export function createQuery(options: QueryOptions = {}): QueryServer {
  const { now = systemClock.now, socketTimeoutMs = 1_500, findAddress = createFindAddress() } = options;
  const { GameDig: Querier, games } = loadGameDig();
  const gamedig = new Querier();
  const listening = listenAlong(gamedig);
  return async (target) => {
    const { address, confirmed } = await findAddress(target.host).catch((error: unknown) => {
      throw new QueryError('not_asked', error);
    });
    const ear = listening(target, address);
    try {
      const result: unknown = await gamedig.query({
        type: target.game,
        host: target.host,
        // Where GameDig looks the name up, it asks for the game's own records as well.
        ...(hasOwnRecords(games, target.game) ? {} : { address }),
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
      const reason = failureReason(error, ear.heard());
      throw new QueryError(reason === 'no_answer' && !confirmed ? 'not_asked' : reason, error);
    } finally {
      ear.close();
    }
  };
}

type Games = ReturnType<typeof loadGameDig>['games'];

/** Minecraft servers are found by an SRV record of their name (minecraft.wiki/w/Tutorial:Setting_up_a_Java_Edition_server). */
function hasOwnRecords(games: Games, game: string): boolean {
  return (
    (games as Record<string, { options?: { protocol?: string } }>)[game]?.options?.protocol === 'minecraft'
  );
}

/** Silence; a host on this machine's own network that is switched off also makes EHOSTUNREACH. */
const silence = /timed out|ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/i;
/** Said by this machine before anything was sent, or by its resolver. */
const ownTrouble =
  /ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPERM|EACCES|ENOBUFS|EMFILE|ENFILE|EAI_AGAIN|ENOTFOUND|ESERVFAIL|ETIMEOUT|EREFUSED/;

/** GameDig joins the stacks of all attempts in the last error's. */
function failureReason(error: unknown, heard: boolean): QueryFailureReason {
  if (heard) return 'unreadable';
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const attempts = stack.split(/^Attempt #\d+.*$/m).slice(1);
  // One that got out and met silence says more than one that did not get out.
  if (attempts.length > 0 && attempts.every((text) => ownTrouble.test(text))) return 'not_asked';
  const told = attempts.every((text) => silence.test(text) || ownTrouble.test(text));
  return attempts.length > 0 && told ? 'no_answer' : 'unreadable';
}

interface Ear {
  /** Whether any packet came from the target, readable or not. */
  heard(): boolean;
  close(): void;
}

/**
 * GameDig waits on when bytes come that it cannot read, and then reports a time-out. Whether a server was silent or
 * babbled is heard on its UDP socket, which its types do not name; without it, a time-out counts as silence.
 */
function listenAlong(gamedig: GameDig): (target: QueryTarget, address: string) => Ear {
  const ears = new Set<(address: string, port: number) => void>();
  const { queryRunner } = gamedig as unknown as {
    queryRunner?: { udpSocket?: { addCallback?(callback: (address: string, port: number) => void): void } };
  };
  queryRunner?.udpSocket?.addCallback?.((address, port) => {
    for (const ear of ears) ear(address, port);
  });
  return ({ queryPort }, address) => {
    let heard = false;
    const ear = (from: string, port: number): void => {
      if (from === address && (queryPort === null || port === queryPort)) heard = true;
    };
    ears.add(ear);
    return { heard: () => heard, close: () => void ears.delete(ear) };
  };
}
