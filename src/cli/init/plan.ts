import { type FileAccess, hostAndPort } from 'game-files';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import { isOnConsole } from '../console-logs.ts';
import type { FoundServer } from '../dayz/find-servers.ts';
import type { GameAddress } from './address.ts';
import { deniedText, type FoundServers } from './find.ts';
import { tryQueryPort, type TriedAddress } from './query-port.ts';
import type { World } from './questions.ts';
import { askAddress, askQueryPort } from './server-questions.ts';

/** What the config says about a server. Paths on this machine are absolute. Holds secrets. */
export interface PlannedServer
  extends
    Pick<FoundServer, 'name' | 'isNamed' | 'logs' | 'playersDb' | 'messagesFile' | 'banFiles'>,
    Pick<FoundServers, 'place' | 'keyFile'> {
  host: string;
  port: number;
  /** Null: it answers no query. */
  queryPort: number | null;
}

/** Queries the servers that were found or named, shows what is known of each, and says what the config is to hold of it. */
export async function planServers(groups: readonly FoundServers[], world: World): Promise<PlannedServer[]> {
  const { report, warn } = world;
  const planned: PlannedServer[] = [];
  for (const group of groups) {
    for (const found of group.servers) {
      const query = await queryServer(found, group, world);
      const server = await planServer(found, group, query);
      report(summary(found, server, statusText(group, query), group.files));
      if (found.denied.length > 0) warn(deniedText(found.denied));
      planned.push(server);
    }
  }
  return planned;
}

/** What the query of a server has shown. */
interface QueriedServer {
  tried: TriedAddress;
  /** Players and map as the server, or its host, says; null: neither does. */
  answer: TriedAddress['answer'];
  /** The server answers no query: it is on a console, or its host says how it is. */
  answersNoQuery: boolean;
}

/** Queries a server under the address that was named, else where its files are. */
async function queryServer(
  found: FoundServer,
  { hosts, state, files, place, servers }: FoundServers,
  world: World,
): Promise<QueriedServer> {
  const [host = ''] = hosts;
  if (state !== undefined) {
    const tried = { host, gamePort: found.gamePort, queryPort: 0, answer: null };
    return { tried, answer: state.status === 'ONLINE' ? state : null, answersNoQuery: true };
  }
  const queryPort = (await askQueryPort(world)) ?? found.queryPort;
  const query = async (named: GameAddress | null): Promise<TriedAddress> =>
    await tryQueryPort(named === null ? hosts : [named.host], named?.port ?? found.gamePort, queryPort);
  const named = await askAddress(world);
  let tried = await query(named);
  // Most hosts answer queries under the address of the SFTP server. Only where that is not so, the owner is asked.
  if (tried.answer === null && named === null && place !== null && servers.length === 1) {
    const typed = await askAddress(world, { server: found.name, host });
    if (typed !== null) tried = await query(typed);
  }
  const answersNoQuery = tried.answer === null && (await isOnConsole(dayz.type, found.logs, files));
  return { tried, answer: tried.answer, answersNoQuery };
}

async function planServer(
  { name, isNamed, logs, playersDb, messagesFile, banFiles }: FoundServer,
  { files, place, keyFile }: FoundServers,
  { tried, answersNoQuery }: QueriedServer,
): Promise<PlannedServer> {
  return {
    name,
    isNamed,
    host: tried.host,
    port: tried.gamePort,
    queryPort: answersNoQuery ? null : tried.queryPort,
    place,
    keyFile,
    logs,
    playersDb,
    messagesFile: messagesFile && (await onlyWithRestarts(messagesFile, files)),
    banFiles,
  };
}

function statusText({ state }: FoundServers, { tried, answer, answersNoQuery }: QueriedServer): string {
  if (answer !== null) return answerText(answer);
  if (state !== undefined) return 'does not run, says its host';
  if (answersNoQuery) return 'unknown: a server on a console answers no query';
  return `no answer at ${hostAndPort({ host: tried.host, port: tried.queryPort })}`;
}

function summary(
  { root, configFile }: FoundServer,
  { name, logs, playersDb, messagesFile, banFiles }: PlannedServer,
  status: string,
  files: FileAccess,
): string {
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

function answerText({ players, maxPlayers, map }: NonNullable<TriedAddress['answer']>): string {
  return `${players ?? '?'} of ${maxPlayers ?? '?'} players${map === null ? '' : ` on ${map}`}`;
}

/** A `messages.xml`, unless no restart is in it; null then, so that the config names no schedule without one. */
async function onlyWithRestarts(file: string, files: FileAccess): Promise<string | null> {
  const messages = await readMessagesFile(dayz.type, file, files).catch(() => null);
  return messages?.restartMinutes == null ? null : file;
}
