import { hostAndPort } from 'game-files';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { readMessagesFile } from '../../server/ingest/schedules/messages-file.ts';
import { createQuery, QueryError, type QueryResult } from '../../server/live/query.ts';
import { isOnConsole } from '../console-logs.ts';
import { limits } from '../limits.ts';
import type { GameAddress } from './login.ts';
import { deniedText, type FoundServer } from './find.ts';
import type { World } from './questions.ts';
import { askAddress, askQueryPort } from './server-questions.ts';

type FoundKeys =
  'name' | 'isNamed' | 'place' | 'keyFile' | 'logs' | 'playersDb' | 'messagesFile' | 'banFiles';

/** What the config says about a server. Paths on this machine are absolute. Holds secrets. */
export interface PlannedServer extends Pick<FoundServer, FoundKeys> {
  host: string;
  port: number;
  /** Null: it answers no query. */
  queryPort: number | null;
}

/** Queries a server that was found or named, shows what is known of it, and says what the config is to hold of it. */
export async function planServer(found: FoundServer, world: World): Promise<PlannedServer> {
  const { status, ...address } = await queryServer(found, world);
  const messagesFile = await messagesWithRestarts(found);
  world.report(summary({ ...found, messagesFile }, status));
  if (found.denied.length > 0) world.warn(deniedText(found.denied));
  return { ...found, ...address, messagesFile };
}

/** Queries a server under the address that was named, else where its files are. @returns how it is, as a text, too */
async function queryServer(found: FoundServer, world: World) {
  const { hosts, gamePort, state, files, place } = found;
  const [host = ''] = hosts;
  if (state !== undefined) {
    const status = state.status === 'ONLINE' ? answerText(state) : 'does not run, says its host';
    return { host, port: gamePort, queryPort: null, status };
  }
  const queryPort = (await askQueryPort(world)) ?? found.queryPort;
  const query = async (named: GameAddress | null) =>
    await tryQueryPort(named === null ? hosts : [named.host], named?.port ?? gamePort, queryPort);
  const named = await askAddress(world);
  let { answer, ...address } = await query(named);
  // Most hosts answer queries under the address of the SFTP server. Only where that is not so, the owner is asked.
  if (answer === null && named === null && place !== null) {
    const typed = await askAddress(world, { server: found.name, host });
    if (typed !== null) ({ answer, ...address } = await query(typed));
  }
  if (answer !== null) return { ...address, status: answerText(answer) };
  if (await isOnConsole(dayz.type, found.logs, files))
    return { ...address, queryPort: null, status: 'unknown: a server on a console answers no query' };
  const asked = hostAndPort({ host: address.host, port: address.queryPort });
  return { ...address, status: `no answer at ${asked}` };
}

/**
 * Queries a game server at several addresses at once.
 * @param hosts where it may answer, likely first
 * @param queryPort null: it is unknown, so the usual ones are tried
 * @returns the likeliest address at which it answers, else the first one without an answer
 */
async function tryQueryPort(hosts: readonly string[], gamePort: number, queryPort: number | null) {
  const { type, ports } = dayz;
  const query = createQuery({ socketTimeoutMs: limits.querySocketMs });
  const attempt = async (host: string, port: number) => {
    try {
      const answer = await query({ game: type, host, port: gamePort, queryPort: port });
      // The usual port is a guess: the panels of hosts start servers with others, of which no file knows.
      const own = gamePort === ports.usual ? (answer.gamePort ?? gamePort) : gamePort;
      return { host, port: own, queryPort: port, answer };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { host, port: gamePort, queryPort: port, answer: null };
    }
  };
  const usual = [...new Set(ports.query(gamePort))].filter((port) => port <= 65_535);
  const candidates = queryPort === null ? usual : [queryPort];
  const attempts = hosts.flatMap((host) => candidates.map((port) => attempt(host, port)));
  // Once one has answered, the others go on until their time limits. Their failures must not end the process.
  for (const one of attempts) one.catch(() => undefined);
  for (const one of attempts) {
    const tried = await one;
    if (tried.answer !== null) return tried;
  }
  return await (attempts[0] as (typeof attempts)[number]);
}

const answerText = ({ players, maxPlayers, map }: Pick<QueryResult, 'players' | 'maxPlayers' | 'map'>) =>
  `${players ?? '?'} of ${maxPlayers ?? '?'} players${map === null ? '' : ` on ${map}`}`;

function summary(found: FoundServer, status: string): string {
  const { name, root, files, configFile, logs, playersDb, messagesFile, banFiles } = found;
  if (root === null) return `${name}: ${status}`;
  const below = (path: string | null): string => {
    if (path === null) return 'not found';
    const relative = files.path.relative(root, path);
    return relative === '' || relative.startsWith('..') ? path : relative;
  };
  const rows = {
    folder: root,
    config: below(configFile),
    status,
    logs: below(logs),
    characters: below(playersDb),
    restarts: below(messagesFile),
    ...(banFiles.length > 0 && { bans: banFiles.map(({ file }) => below(file)).join(', ') }),
  };
  return [name, ...Object.entries(rows).map(([row, text]) => `  ${row.padEnd(10)}  ${text}`)].join('\n');
}

/**
 * Its `messages.xml`, unless no restart is in it, so that the config names no schedule without one. One that cannot be read
 * stays: the check at the end says what is wrong with it.
 */
async function messagesWithRestarts({ messagesFile: file, files }: FoundServer): Promise<string | null> {
  if (file === null) return null;
  try {
    const { restartMinutes } = await readMessagesFile(dayz.type, file, files);
    return restartMinutes === null ? null : file;
  } catch {
    return file;
  }
}
