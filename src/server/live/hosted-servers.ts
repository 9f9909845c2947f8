import type { PolledTarget, ServerState } from '../store/repositories/projects/servers.ts';
import { QueryError, type QueryResult, type QueryServer } from './query.ts';

/** Asks the host of a game server. Null: the host says nothing, or the game server answers queries itself. */
export type AskHost = (target: PolledTarget) => Promise<ServerState | null>;

export type CheckServer = (target: PolledTarget) => Promise<QueryResult>;

/** Checks servers by their query. Those on consoles answer none: their host is asked, where it says how they are. */
export function queryOrAskHost(query: QueryServer, askHost: AskHost): CheckServer {
  return async (target) => {
    let state: ServerState | null;
    try {
      state = await askHost(target);
    } catch (error) {
      const unknown = new QueryError('host_unknown', error);
      // It may answer by itself. The silence of one without a query port, as on consoles, says nothing.
      return await query(target).catch((failure: unknown) => {
        const isKnown = failure instanceof QueryError && failure.reason !== 'no_answer';
        throw isKnown || target.queryPort !== null ? failure : unknown;
      });
    }
    return state === null ? await query(target) : resultOf(state);
  };
}

function resultOf({ status, map, players, maxPlayers, checkedAt }: ServerState): QueryResult {
  if (status === 'OFFLINE') throw new QueryError('stopped', null, checkedAt);
  if (status === 'UNKNOWN') throw new QueryError('host_unknown', null, checkedAt);
  return { map, players, maxPlayers, queue: null, listed: [], observedAt: checkedAt };
}
