import type { ServerConfig } from '../config/schema.ts';
import { createQuery, QueryError } from '../server/live/query.ts';
import type { Finding } from './source-checks.ts';

/** A packet counts as lost after so long: who checks a config watches. */
const socketTimeoutMs = 1_000;

/** Queries game servers, all at once. One that does not answer may just be down: that is a warning. */
export async function checkPorts(
  servers: readonly ServerConfig[],
  onAnswer: (done: number) => void,
): Promise<Finding[]> {
  const query = createQuery({ socketTimeoutMs });
  let done = 0;
  return await Promise.all(
    servers.map(async ({ id, game, host, port, queryPort }): Promise<Finding> => {
      const key = queryPort === undefined ? `${id}.port` : `${id}.queryPort`;
      const tried = `${host}:${queryPort ?? port}`;
      try {
        const { map, players, maxPlayers } = await query({ game, host, port, queryPort: queryPort ?? null });
        const count = `${players ?? 'an unknown number of'} of ${maxPlayers ?? 'unknown'} players`;
        const found = `answers: ${count}, ${map === null ? 'no map named' : `map ${map}`}`;
        const live = queryPort === undefined ? { next: 'set queryPort for the live list of players' } : {};
        return { key, tried, status: 'good', found, ...live };
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        return { key, tried, status: 'warning', ...unanswered(error, queryPort === undefined) };
      } finally {
        onAnswer(++done);
      }
    }),
  );
}

function unanswered({ reason }: QueryError, isGuessed: boolean): Pick<Finding, 'found' | 'next'> {
  if (reason === 'not_asked') {
    return {
      found: 'cannot be asked: the name does not resolve, or this machine has no network',
      next: 'check host, and the DNS of this machine',
    };
  }
  if (reason === 'unreadable')
    return { found: 'something else answers there', next: 'check queryPort and game' };
  return {
    found: 'no answer',
    next: `is the server running? Its query port${isGuessed ? ' (set queryPort)' : ''}, for DayZ steamQueryPort in serverDZ.cfg, must be open over UDP`,
  };
}
