import type { ServerConfig } from '../../../config/schema.ts';
import { placeKinds } from '../../../config/schema/files.ts';
import { gameOf, usualGame } from '../../../server/games/index.ts';
import { queryKeyProblems, queryKeyRules, queryKeyText } from '../../../server/live/query-keys.ts';
import { createQuery, QueryError } from '../../../server/live/query.ts';
import { about, type Finding } from '../finding.ts';

/** Short, because a person waits for the result. */
const socketTimeoutMs = 1_000;

/** What is missing in the query of a server, or is there without need. */
export function checkQueryKeys({ id, game, query }: ServerConfig): Finding[] {
  const { missing, unused } = queryKeyProblems(game, query);
  const keys = about(`${id}.query`, game);
  const rules = queryKeyText(game);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    findings.push(
      keys.wrong(
        `the query of this game needs more than an address: ${missing.join(', ')}`,
        'add it to query, a secret as { env: NAME } or { file: PATH }',
      ),
    );
  }
  if (unused.length > 0) {
    findings.push(
      keys.warning(
        `the query of this game does not use ${unused.join(', ')}`,
        rules === '' ? 'leave query out: the address is enough' : `the query ${rules}`,
      ),
    );
  }
  return findings;
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
  files: place,
}: ServerConfig): Promise<{ finding: Finding; players: number | null }> {
  const query = createQuery({ socketTimeoutMs, keysOf: () => keys });
  const address = about(
    queryPort === undefined ? `${id}.port` : `${id}.queryPort`,
    `${host}:${queryPort ?? port}`,
  );
  try {
    const { map, players, maxPlayers } = await query({ game, host, port, queryPort: queryPort ?? null });
    const count = `${players ?? 'an unknown number of'} of ${maxPlayers ?? 'unknown'} players`;
    const found = `answers: ${count}, ${map === null ? 'no map named' : `map ${map}`}`;
    const next = queryPort === undefined ? 'set queryPort for the live list of players' : undefined;
    return { finding: address.good(found, next), players };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return {
      finding: address.warning(...unanswered(error, queryPort === undefined, game, place)),
      players: null,
    };
  }
}

function unanswered(
  { reason }: QueryError,
  isGuessed: boolean,
  game: string,
  place: ServerConfig['files'],
): [found: string, next: string] {
  if (reason === 'not_asked') {
    return [
      'cannot be queried: the name does not resolve, or this machine has no network',
      'check host, and the DNS of this machine',
    ];
  }
  if (reason === 'unreadable') {
    return queryKeyRules(game).needs.length > 0
      ? ['refuses the query, or another program answers there', 'check query, queryPort and game']
      : ['another program answers there', 'check queryPort and game'];
  }
  const atProvider = place && placeKinds[place.type].provider?.queryPort;
  if (atProvider !== undefined)
    return ['no answer', `is the server running? Compare host and queryPort with ${atProvider}`];
  const { name, words } = gameOf(game) ?? usualGame;
  return [
    isGuessed ? 'no answer, as from any server on a console' : 'no answer',
    `${isGuessed ? 'on a PC: ' : ''}is the server running? Its query port${isGuessed ? ' (set queryPort)' : ''}, for ${name} ${words.queryPort} in ${words.configFile}, must be open over UDP`,
  ];
}
