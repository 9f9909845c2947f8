import type { ServerConfig } from '../../config/schema.ts';
import { gameOf, usualGame } from '../../server/games/index.ts';
import { queryKeyProblems, queryKeyRules, queryKeyText } from '../../server/live/query-keys.ts';
import { createQuery, QueryError } from '../../server/live/query.ts';
import type { Finding } from './finding.ts';

/** Short, because a person waits for the result. */
const socketTimeoutMs = 1_000;

/** What is missing in the query of a server, or is there without need. */
export function checkQueryKeys({ id, game, query }: ServerConfig): Finding[] {
  const { missing, unused } = queryKeyProblems(game, query);
  const key = `${id}.query`;
  const rules = queryKeyText(game);
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            key,
            tried: game,
            status: 'wrong' as const,
            found: `the query of this game needs more than an address: ${missing.join(', ')}`,
            next: 'add it to query, a secret as { env: NAME } or { file: PATH }',
          },
        ]),
    ...(unused.length === 0
      ? []
      : [
          {
            key,
            tried: game,
            status: 'warning' as const,
            found: `the query of this game does not use ${unused.join(', ')}`,
            next: rules === '' ? 'leave query out: the address is enough' : `the query ${rules}`,
          },
        ]),
  ];
}

/** Queries all game servers at once. */
export async function checkPorts(
  servers: readonly ServerConfig[],
  onAnswer: (done: number) => void,
): Promise<Finding[]> {
  let done = 0;
  return await Promise.all(
    servers.map(async (server) => {
      const { finding } = await checkPort(server);
      onAnswer(++done);
      return finding;
    }),
  );
}

/**
 * Queries a game server. One that does not answer may just be down, so that is a warning.
 * @returns also the number of players; null: unknown
 */
export async function checkPort({
  id,
  game,
  host,
  port,
  queryPort,
  query: keys,
}: ServerConfig): Promise<{ finding: Finding; players: number | null }> {
  const query = createQuery({ socketTimeoutMs, keysOf: () => keys });
  const key = queryPort === undefined ? `${id}.port` : `${id}.queryPort`;
  const tried = `${host}:${queryPort ?? port}`;
  try {
    const { map, players, maxPlayers } = await query({ game, host, port, queryPort: queryPort ?? null });
    const count = `${players ?? 'an unknown number of'} of ${maxPlayers ?? 'unknown'} players`;
    const found = `answers: ${count}, ${map === null ? 'no map named' : `map ${map}`}`;
    const live = queryPort === undefined ? { next: 'set queryPort for the live list of players' } : {};
    return { finding: { key, tried, status: 'good', found, ...live }, players };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const result = unanswered(error, queryPort === undefined, game);
    return { finding: { key, tried, status: 'warning', ...result }, players: null };
  }
}

function unanswered(
  { reason }: QueryError,
  isGuessed: boolean,
  game: string,
): Pick<Finding, 'found' | 'next'> {
  if (reason === 'not_asked') {
    return {
      found: 'cannot be queried: the name does not resolve, or this machine has no network',
      next: 'check host, and the DNS of this machine',
    };
  }
  if (reason === 'unreadable') {
    return queryKeyRules(game).needs.length > 0
      ? {
          found: 'refuses the query, or another program answers there',
          next: 'check query, queryPort and game',
        }
      : { found: 'another program answers there', next: 'check queryPort and game' };
  }
  const { name, words } = gameOf(game) ?? usualGame;
  return {
    found: 'no answer',
    next: `is the server running? Its query port${isGuessed ? ' (set queryPort)' : ''}, for ${name} ${words.queryPort} in ${words.configFile}, must be open over UDP`,
  };
}
