import { GameDig } from 'gamedig';
import { systemClock } from '../../process/clock.ts';
import { createFindAddress, type FindAddress } from './dns-cache.ts';
import { limitAnswers } from './answer-limits.ts';
import { protocolOf } from './game-types.ts';
import { watchUdp } from './udp-watch.ts';
import {
  readFigures,
  readGamePort,
  readPlayers,
  readQueryPort,
  readQueue,
  type ListedPlayer,
} from './parse-result.ts';

export interface QueryTarget {
  /** The server's; left out: the config does not have it yet. */
  id?: string;
  game: string;
  host: string;
  port: number;
  /** Null: the query port follows from the game port by GameDig's rule for the game. */
  queryPort: number | null;
}

/** One key for all targets that are queried alike. */
export const targetKey = ({ game, host, port, queryPort }: QueryTarget): string =>
  JSON.stringify([game, host, port, queryPort]);

/** What the query of some games needs besides the address: options of GameDig, by the names that the config's `query` has. */
export type QueryKeys = Readonly<Record<string, string | number | boolean | undefined>>;

/** The result of one query; null where the query lacks a figure. */
export interface QueryResult {
  map: string | null;
  players: number | null;
  maxPlayers: number | null;
  /** Players in the login queue. */
  queue: number | null;
  /** The entries of the player list, complete or not. */
  listed: ListedPlayer[];
  /** The port that answered; null or left out: unknown. */
  queryPort?: number | null;
  /** The port where players join, as the server says; null or left out: it does not. */
  gamePort?: number | null;
  /** Epoch milliseconds. */
  observedAt: number;
}

/**
 * Why a query failed. `no_answer`: silence or a refused connection; the server is down. `unreadable`: the answer does
 * not belong to this query. `not_asked`: the host name does not resolve or this machine has no network; the server
 * may be up. `stopped`: its host says that it does not run. `host_unknown`: its host could not say how it is.
 */
type QueryFailureReason = 'no_answer' | 'unreadable' | 'not_asked' | 'stopped' | 'host_unknown';

const messages: Readonly<Record<QueryFailureReason, string>> = {
  no_answer: 'the game server did not answer the query',
  unreadable: 'the game server answered the query with something unreadable',
  not_asked:
    'the game server could not be asked: its host has no IPv4 address, or this machine has no network',
  stopped: 'the host of the game server says that it does not run',
  host_unknown: 'the host of the game server could not say how it is',
};

export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly reason: QueryFailureReason;
  /** When the failure was observed, epoch milliseconds; null: now. */
  readonly observedAt: number | null;

  constructor(reason: QueryFailureReason, cause: unknown, observedAt: number | null = null) {
    super(messages[reason], { cause });
    this.reason = reason;
    this.observedAt = observedAt;
  }
}

export type QueryServer = (target: QueryTarget) => Promise<QueryResult>;

interface QueryOptions {
  now?: () => number;
  /** A packet counts as lost after this; default 1.5 s. A query is sent twice. */
  socketTimeoutMs?: number;
  findAddress?: FindAddress;
  /** What a server's query needs besides the address. It is asked each time, since the config may change. */
  keysOf?: (target: QueryTarget) => QueryKeys | undefined;
}

/** Limit of one attempt, whatever the server answers. */
const attemptTimeoutMs = 4_000;

/** Queries game servers through GameDig. Rejects with a `QueryError`, whatever the server does. */
export function createQuery(options: QueryOptions = {}): QueryServer {
  const { now = systemClock.now, socketTimeoutMs = 1_500, findAddress = createFindAddress() } = options;
  const { keysOf = () => undefined } = options;
  limitAnswers();
  const gamedig = new GameDig();
  const watchPackets = watchUdp(gamedig);
  return async (target) => {
    const { address, confirmed } = await findAddress(target.host).catch((error: unknown) => {
      throw new QueryError('not_asked', error);
    });
    const keys = keysOf(target);
    const packets = watchPackets(address);
    try {
      const result: unknown = await gamedig.query({
        ...keys,
        type: target.game,
        host: target.host,
        // Without the address, GameDig resolves the name itself.
        ...(isFoundBySrvRecord(target.game) ? {} : { address }),
        port: target.queryPort ?? target.port,
        givenPortOnly: target.queryPort !== null,
        socketTimeout: socketTimeoutMs,
        attemptTimeout: attemptTimeoutMs,
        maxRetries: 2,
        requestRules: false,
      });
      const canCountList = !isMinecraft(target.game);
      const figures = readFigures(result, canCountList);
      if (Object.values(figures).every((figure) => figure === null))
        throw new Error('the answer has no figures');
      return {
        ...figures,
        queue: readQueue(result),
        listed: readPlayers(result),
        queryPort: readQueryPort(result),
        gamePort: readGamePort(result),
        observedAt: now(),
      };
    } catch (error) {
      const reason = failureReason(error, packets.ports);
      const cause = withoutSecrets(error, keys);
      throw new QueryError(reason === 'no_answer' && !confirmed ? 'not_asked' : reason, cause);
    } finally {
      packets.close();
    }
  };
}

/** An error may quote the address of a request, in which some games expect the secret. */
function withoutSecrets(error: unknown, keys: QueryKeys | undefined): unknown {
  if (keys === undefined) return error;
  const { password, token, apiKey, telnetPassword } = keys;
  let text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const secret of [password, token, apiKey, telnetPassword]) {
    if (typeof secret !== 'string' || secret === '') continue;
    text = text.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…');
  }
  return new Error(text);
}

/** Its servers always report the number of players, and many fill the list of players with lines of advertising. */
const isMinecraft = (game: string): boolean => protocolOf(game)?.startsWith('minecraft') === true;

/** Minecraft servers are found by an SRV record of their name (minecraft.wiki/w/Tutorial:Setting_up_a_Java_Edition_server). */
const isFoundBySrvRecord = (game: string): boolean => protocolOf(game) === 'minecraft';

/** Errors that mean no answer. EHOSTUNREACH: a host on the local network that is switched off. */
const silence = /timed out|ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/i;
/** Errors of this machine before anything was sent, and of its resolver. */
const localFailure =
  /ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPERM|EACCES|ENOBUFS|EMFILE|ENFILE|EAI_AGAIN|ENOTFOUND|ESERVFAIL|ETIMEOUT|EREFUSED/;

/**
 * GameDig joins the stacks of all attempts in the last error.
 * @param answered the ports of the host from which packets came, also to queries of its other servers
 */
function failureReason(error: unknown, answered: ReadonlySet<number>): QueryFailureReason {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const asked = Array.from(stack.matchAll(/^Attempt #\d+ - Port=(\d+)/gm), ([, port]) => Number(port));
  if (asked.some((port) => answered.has(port))) return 'unreadable';
  const attempts = stack.split(/^Attempt #\d+.*$/m).slice(1);
  // An attempt that was sent without an answer says more than one that was not sent.
  if (attempts.length > 0 && attempts.every((text) => localFailure.test(text))) return 'not_asked';
  const isSilence = attempts.every((text) => silence.test(text) || localFailure.test(text));
  return attempts.length > 0 && isSilence ? 'no_answer' : 'unreadable';
}
