import type { ServerConfig } from '../../../config/schema.ts';
import { placeKinds } from '../../../config/schema/files.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import { HostStates } from '../../../server/files/remote/host-states.ts';
import { gameOf, usualGame } from '../../../server/games/index.ts';
import { queryKeyProblems, queryKeyRules, queryKeyText } from '../../../server/live/query-keys.ts';
import { createQuery, QueryError } from '../../../server/live/query.ts';
import { hostAndPort, placeName } from '../../../server/store/repositories/projects/places.ts';
import type { ServerState } from '../../../server/store/repositories/projects/servers.ts';
import { isOnConsole } from '../../console-logs.ts';
import { about, type CheckResult, type Finding, good, warning } from '../finding.ts';
import type { Machine } from '../machine.ts';

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
 * Queries a game server, or asks its host as the service does. One that does not answer may just be down, so that is a
 * warning.
 * @param own the server's files
 * @returns also the number of players; null: unknown
 */
export async function checkPort(
  server: ServerConfig,
  own: FilePort,
  { isContainer }: Pick<Machine, 'isContainer'>,
): Promise<{ finding: Finding; players: number | null }> {
  const { id, game, host, port, queryPort, query: keys, files: place } = server;
  const query = createQuery({ socketTimeoutMs, keysOf: () => keys });
  const key = queryPort === undefined ? `${id}.port` : `${id}.queryPort`;
  const said = place && (await stateByHost(place));
  if (place !== undefined && said) {
    const finding = about(key, placeName(place)).is(saidByHost(said, queryPort !== undefined));
    return { finding, players: said.players };
  }
  const address = about(key, hostAndPort({ host, port: queryPort ?? port }));
  try {
    const result = await query({ game, host, port, queryPort: queryPort ?? null });
    const { players, gamePort } = result;
    const found = `answers: ${figuresOf(result)}`;
    return { finding: address.good(found, adviceFor(server, gamePort ?? port)), players };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const mayBeMute = error.reason === 'no_answer' && place === undefined;
    if (mayBeMute && (await isOnConsole(game, server.logs ?? null, own)))
      return { finding: address.is(mute(queryPort !== undefined)), players: null };
    const [found, next] = unanswered(error, queryPort === undefined, game, place);
    const hint = isContainer && place === undefined && isLoopback(host) ? ownContainer : '';
    return { finding: address.warning(found, next + hint), players: null };
  }
}

/** @param gamePort where players join, as the server says */
function adviceFor({ port, queryPort, joinAddress }: ServerConfig, gamePort: number): string | undefined {
  if (queryPort === undefined) return 'set queryPort for the live list of players';
  if (gamePort === port || joinAddress !== undefined) return undefined;
  return `the game says that players join at port ${gamePort}: if they do, set port: ${gamePort}`;
}

const isLoopback = (host: string): boolean => /^(?:localhost|127\..*|::1)$/i.test(host);

/** Without a network of its own, it is the machine all the same. */
const ownContainer =
  '. Outpost runs in a container, where this address is that of the container itself: ' +
  'for a game server on the same machine, set host to host.docker.internal, as compose.yaml calls it';

function figuresOf({
  map,
  players,
  maxPlayers,
}: Pick<ServerState, 'map' | 'players' | 'maxPlayers'>): string {
  const count = `${players ?? 'an unknown number'} of ${maxPlayers ?? 'unknown'} players`;
  return `${count}, ${map === null ? 'no map named' : `map ${map}`}`;
}

/** Null: its host says nothing of a game server. Why it does not is found where the login to its files is checked. */
async function stateByHost(place: NonNullable<ServerConfig['files']>): Promise<ServerState | null> {
  const hosts = new HostStates();
  try {
    return (await hosts.at(place)?.read()) ?? null;
  } catch {
    return null;
  } finally {
    hosts.close();
  }
}

const mute = (hasQueryPort: boolean): CheckResult =>
  hasQueryPort
    ? warning('no answer: a server on a console gives none', 'leave queryPort out, or it is shown as offline')
    : good('no answer: a server on a console gives none, so its state stays unknown');

function saidByHost(state: ServerState, hasQueryPort: boolean): CheckResult {
  if (state.status === 'OFFLINE')
    return warning('does not run, says its host', 'start the game server there');
  if (state.status === 'UNKNOWN') return warning('its host does not say whether it runs');
  const next = hasQueryPort ? 'leave queryPort out: a server on a console answers no query' : undefined;
  return good(`runs, says its host: ${figuresOf(state)}`, next);
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
  if (reason === 'ipv4_only') {
    return [
      'has no IPv4 address, and game servers are queried over IPv4 only: nothing was asked',
      'set host to an IPv4 address of the game server, or to a name that has one',
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
