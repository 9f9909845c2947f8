import { GameDig } from 'gamedig';
import { readFigures, readPlayers, type ListedPlayer } from './reading.ts';

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
  /** The entries of the player list, complete or not. */
  listed: ListedPlayer[];
  /** Epoch milliseconds. */
  observedAt: number;
}

/**
 * Why a query gave nothing: `no_answer` (silence or a refused connection: the server is down or unreachable) or
 * `unreadable` (its name does not resolve, or what came back is not an answer).
 */
export type QueryFailureReason = 'no_answer' | 'unreadable';

export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly reason: QueryFailureReason;

  constructor(reason: QueryFailureReason, cause: unknown) {
    super(
      reason === 'no_answer'
        ? 'the game server did not answer the query'
        : 'the game server could not be asked: what came back is not readable',
      { cause },
    );
    this.reason = reason;
  }
}

export type QueryServer = (target: QueryTarget) => Promise<ServerReading>;

/** Silence after which one packet counts as lost. */
const socketTimeoutMs = 1_500;
/** Bound on one attempt, however the server answers. */
const attemptTimeoutMs = 4_000;

/** Queries a game server through GameDig. Rejects with a `QueryError`, whatever the server does. */
export function createQuery(now: () => number = Date.now): QueryServer {
  return async (target) => {
    let result: unknown;
    try {
      result = await GameDig.query({
        type: target.game,
        host: target.host,
        port: target.queryPort ?? target.port,
        givenPortOnly: target.queryPort !== null,
        socketTimeout: socketTimeoutMs,
        attemptTimeout: attemptTimeoutMs,
        maxRetries: 2,
        requestRules: false,
      });
    } catch (error) {
      throw new QueryError(failureReason(error), error);
    }
    try {
      return { ...readFigures(result), listed: readPlayers(result), observedAt: now() };
    } catch (error) {
      throw new QueryError('unreadable', error);
    }
  };
}

/** GameDig joins the stacks of all attempts in the last error's; a lost packet or refusal in each means silence. */
function failureReason(error: unknown): QueryFailureReason {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const attempts = stack.split(/^Attempt #\d+.*$/m).slice(1);
  const silent = (text: string) => /timed out|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/i.test(text);
  return attempts.length > 0 && attempts.every(silent) ? 'no_answer' : 'unreadable';
}
