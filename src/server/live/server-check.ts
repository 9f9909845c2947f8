import type { PolledTarget, ServerState } from '../store/repositories/projects/servers.ts';
import { QueryError, type QueryResult, type QueryServer } from './query.ts';

/** Asks the host of a game server. Null: the host says nothing, or the game server answers queries itself. */
export type AskHost = (target: PolledTarget) => Promise<ServerState | null>;

export type CheckServer = (target: PolledTarget) => Promise<QueryResult>;

/** Checks a server: asks its host first, since servers on consoles answer no query. If the host says nothing or fails, queries it. */
export function createServerCheck(query: QueryServer, askHost: AskHost): CheckServer {
  return async (target) => {
    let state: ServerState | null;
    try {
      state = await askHost(target);
    } catch (hostError) {
      return await query(target).catch((queryError: unknown) => {
        // A server on a console has no query port and is always silent. So its silence does not mean that it is down, and the
        // host's failure is reported in its place.
        const isOtherFailure = queryError instanceof QueryError && queryError.reason !== 'no_answer';
        if (isOtherFailure || target.queryPort !== null) throw queryError;
        throw new QueryError('host_unknown', hostError);
      });
    }
    return state === null ? await query(target) : resultOf(state);
  };
}

/** What the host says of the server, as the result of a query. @throws QueryError unless it runs */
function resultOf({ status, map, players, maxPlayers, checkedAt }: ServerState): QueryResult {
  if (status === 'OFFLINE') throw new QueryError('stopped', null, checkedAt);
  if (status === 'UNKNOWN') throw new QueryError('host_unknown', null, checkedAt);
  return { map, players, maxPlayers, queue: null, listed: [], observedAt: checkedAt };
}
