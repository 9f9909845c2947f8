import { hostAndPort, type Place, placeName } from 'game-files';
import type { ServerConfig } from '../../config/schema.ts';
import { placeKinds } from '../../config/schema/files.ts';
import { createQuery, QueryError } from '../../server/live/query.ts';
import type { ServerState } from '../../server/store/repositories/projects/servers.ts';
import { isOnConsole } from '../console-logs.ts';
import { queryPortSetting } from './config-checks.ts';
import { about, type Finding, type Report } from './finding.ts';
import { type Access, filesAt } from './installation.ts';
import { limits } from '../limits.ts';

/**
 * Queries a game server, or asks its host as the service does. One that does not answer may just be down, so that is a
 * warning.
 */
export async function checkQuery(
  server: ServerConfig,
  access: Access,
  isContainer: boolean,
): Promise<Finding> {
  const { id, game, host, port, queryPort, query: keys, files: place } = server;
  const key = queryPort === undefined ? `${id}.port` : `${id}.queryPort`;
  const byHost = place && (await stateByHost(place, access));
  if (place !== undefined && byHost)
    return stateFinding(byHost, queryPort !== undefined, about(key, placeName(place)));
  const report = about(key, hostAndPort({ host, port: queryPort ?? port }));
  try {
    const query = createQuery({ socketTimeoutMs: limits.querySocketMs, keysOf: () => keys });
    const result = await query({ game, host, port, queryPort: queryPort ?? null });
    const next = adviceFor(server, result.gamePort ?? port);
    return report.good(`answers: ${figuresOf(result)}`, next);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const mayBeMute = error.reason === 'no_answer' && place === undefined;
    const own = filesAt(access, place).of(`${id} checks`);
    if (mayBeMute && (await isOnConsole(game, server.logs ?? null, own)))
      return queryPort === undefined
        ? report.good('no answer: a server on a console gives none, so its state stays unknown')
        : report.warning(
            'no answer: a server on a console gives none',
            'leave queryPort out, or it is shown as offline',
          );
    return unanswered(server, error, isContainer, report);
  }
}

/** What the query leaves to be wished for. @param gamePort where players join, as the server says */
function adviceFor({ port, queryPort, joinAddress }: ServerConfig, gamePort: number): string | undefined {
  if (queryPort === undefined) return 'set queryPort for the live list of players';
  if (gamePort === port || joinAddress !== undefined) return undefined;
  return `the game says that players join at port ${gamePort}: if they do, set port: ${gamePort}`;
}

function figuresOf(state: Pick<ServerState, 'map' | 'players' | 'maxPlayers'>): string {
  const { map, players, maxPlayers } = state;
  const count = `${players ?? 'an unknown number'} of ${maxPlayers ?? 'unknown'} players`;
  return `${count}, ${map === null ? 'no map named' : `map ${map}`}`;
}

/** Null: its host says nothing of a game server. Why it does not is found where the login to its files is checked. */
async function stateByHost(place: Place, { remote }: Access): Promise<ServerState | null> {
  const state = await remote.stateAt(place).catch(() => null);
  return state?.status === 'UNKNOWN' ? null : state;
}

function stateFinding(state: ServerState, hasQueryPort: boolean, report: Report): Finding {
  if (state.status === 'OFFLINE')
    return report.warning('does not run, says its host', 'start the game server there');
  return report.good(
    `runs, says its host: ${figuresOf(state)}`,
    hasQueryPort ? 'leave queryPort out: a server on a console answers no query' : undefined,
  );
}

/** What to do where the query failed otherwise than by silence. */
const remedies: Partial<Record<QueryError['reason'], string>> = {
  not_asked: 'set host to an IPv4 address, or to a name that has one, and check the DNS of this machine',
  unreadable: 'another program may answer there: check queryPort, game, and query if the game needs it',
};

function unanswered(
  { game, host, queryPort, files: place }: ServerConfig,
  { reason, message }: QueryError,
  isContainer: boolean,
  report: Report,
): Finding {
  const remedy = remedies[reason];
  if (remedy !== undefined) return report.warning(message, remedy);
  const atProvider = place && placeKinds[place.type].provider?.queryPort;
  if (atProvider !== undefined)
    return report.warning(
      'no answer',
      `is the server running? Compare host and queryPort with ${atProvider}`,
    );
  const isLoopback = /^(?:localhost|127\..*|::1)$/i.test(host);
  const setting = queryPortSetting(game);
  const hint = isContainer && isLoopback && place === undefined ? ownContainer : '';
  return queryPort === undefined
    ? report.warning(
        'no answer, as from any server on a console',
        `on a PC: is the server running? Set queryPort${setting}; it must be open over UDP${hint}`,
      )
    : report.warning(
        'no answer',
        `is the server running? Its query port${setting} must be open over UDP${hint}`,
      );
}

/** Without a network of its own, it is the machine all the same. */
const ownContainer =
  '. Outpost runs in a container, where this address is that of the container itself: ' +
  'for a game server on the same machine, set host to host.docker.internal, as compose.yaml calls it';
