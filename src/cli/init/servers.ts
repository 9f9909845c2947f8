import { type FilePort, hostAndPort, type Place } from 'game-files';
import { placeKinds } from '../../config/schema/files.ts';
import { isDenied } from '../../server/games/search.ts';
import { fileNamesOf } from 'dayz-files';
import type { Game } from '../../server/games/game.ts';
import { usualGame } from '../../server/games/index.ts';
import { gameNames } from '../../server/games/table.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import type { ServerState } from '../../server/store/repositories/projects/servers.ts';
import { isOnConsole, newestLogs } from '../console-logs.ts';
import type { GameAddress } from './address.ts';
import type { Answers, FoundGameServer, FoundServers, PlannedServer, World } from './answers.ts';
import { deniedText, logName } from './find.ts';
import { tryQueryPort, type TriedAddress } from './query-port.ts';

type Known = Partial<Pick<Answers, 'found' | 'address' | 'queryPort' | 'name'>>;

/** Queries the servers that were found or named, and reports each. */
export async function planServers(answers: Known, world: World): Promise<PlannedServer[]> {
  const { found, address = null } = answers;
  if (found === undefined) return address === null ? [] : [await planAddress(address, answers, world)];
  const planned: PlannedServer[] = [];
  for (const group of found)
    for (const server of group.servers) planned.push(await planServer(server, group, answers, world));
  return planned;
}

/** Where a found server answers: under the address that was named, else where its files are. */
export async function triedAddress(
  { game, gamePort, queryPort }: FoundGameServer,
  hosts: readonly string[],
  { address = null, queryPort: given = null }: Known,
): Promise<TriedAddress> {
  const port = address?.port ?? gamePort;
  return await tryQueryPort(game, address === null ? hosts : [address.host], port, given ?? queryPort);
}

async function planServer(
  found: FoundGameServer,
  { files, place, keyFile, hosts, state, missing = [] }: FoundServers,
  answers: Known,
  { report, warn }: World,
): Promise<PlannedServer> {
  const { game, name, isNamed, logs, playersDb, banFiles } = found;
  const denied = [...found.denied, ...(place === null ? await deniedLog(found, files) : [])];
  const tried =
    state === undefined
      ? await triedAddress(found, hosts, answers)
      : { host: hosts[0] as string, gamePort: found.gamePort, queryPort: null, answer: null };
  const isMute =
    state !== undefined || (tried.answer === null && (await isOnConsole(game.type, logs, files)));
  const answer = state?.status === 'ONLINE' ? state : tried.answer;
  const planned: PlannedServer = {
    game,
    name,
    isNamed,
    host: tried.host,
    port: tried.gamePort,
    queryPort: isMute ? null : tried.queryPort,
    place,
    keyFile,
    logs,
    playersDb,
    messagesFile: found.messagesFile && (await ifItRestarts(game.type, found.messagesFile, files)),
    banFiles,
    missing: [
      ...missing,
      ...(isMute || answer !== null ? [] : [queryMissing(game, name, tried, place)]),
      ...(logs === null ? [logsMissing(found)] : denied.length > 0 ? [deniedText(denied)] : []),
      ...found.advice,
    ],
  };
  const status = statusText(answer, state, planned.queryPort, tried.host);
  report(summary(found, planned, status, files));
  for (const { line, problem } of found.problems) warn(`${found.configFile}, line ${line}: ${problem}`);
  return planned;
}

function statusText(
  answer: TriedAddress['answer'],
  state: ServerState | undefined,
  queryPort: number | null,
  host: string,
): string {
  if (answer !== null) return answerText(answer);
  if (state !== undefined) return 'does not run, says its host';
  return queryPort === null
    ? 'unknown: a server on a console answers no query'
    : `no answer at ${host}:${queryPort}`;
}

function summary(found: FoundGameServer, planned: PlannedServer, status: string, files: FilePort): string {
  const { root, configFile, game } = found;
  const below = (path: string | null): string | null => {
    const relative = path === null ? null : files.path.relative(root, path);
    return relative === null || relative === '' || relative.startsWith('..') ? path : relative;
  };
  const rows: [string, string | null][] = [
    ['folder', root],
    ['config', below(configFile)],
    ['status', status],
    ['logs', below(planned.logs)],
  ];
  if (game.characterFile !== undefined) rows.push([game.characterFile.name, below(planned.playersDb)]);
  if (game.restartFile !== undefined) rows.push(['restarts', below(planned.messagesFile)]);
  for (const { file } of planned.banFiles) rows.push(['bans', below(file)]);
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)}  ${value ?? 'not found'}`);
  return [planned.name, ...lines].join('\n');
}

/** A server of which nothing but its status is known. */
async function planAddress(
  address: GameAddress,
  { queryPort = null, name: given = null }: Known,
  { report }: World,
): Promise<PlannedServer> {
  const game = usualGame;
  const tried = await tryQueryPort(game, [address.host], address.port ?? game.ports.usual, queryPort);
  const { answer } = tried;
  const name = given ?? `${game.name} at ${tried.host}`;
  const status = answer === null ? `no answer at port ${tried.queryPort}` : answerText(answer);
  report(`${hostAndPort({ host: tried.host, port: tried.gamePort })}: ${status}`);
  const other =
    `If ${name} runs another game than ${gameNames}, add "game" to it in the config (docs/files.md says which values there are), ` +
    'and correct "queryPort".';
  return {
    game,
    name,
    isNamed: given !== null,
    host: tried.host,
    port: tried.gamePort,
    queryPort: tried.queryPort,
    place: null,
    keyFile: null,
    logs: null,
    playersDb: null,
    messagesFile: null,
    banFiles: [],
    missing: [
      ...(answer === null ? [queryMissing(game, name, tried, null), other] : []),
      `Only the status of ${name} is shown. For kills, leaderboards and bans, add where its files are ("files", "logs").`,
    ],
  };
}

/** One line for the owner. */
function answerText({ players, maxPlayers, map }: NonNullable<TriedAddress['answer']>): string {
  return `${players ?? '?'} of ${maxPlayers ?? '?'} players${map === null ? '' : ` on ${map}`}`;
}

function queryMissing(
  { words }: Game,
  name: string,
  { host, queryPort }: Pick<TriedAddress, 'host'> & { queryPort: number | null },
  place: Place | null,
): string {
  const right =
    (place && placeKinds[place.type].provider?.queryPort) ?? `${words.queryPort} in its ${words.configFile}`;
  return `${name} does not answer at ${host}:${queryPort}. Start the game server, and compare "queryPort" with ${right}.`;
}

function logsMissing({ game, name, configFile, denied }: FoundGameServer): string {
  const { words } = game;
  if (denied.length > 0) return `No ${logName(game)} of ${name} was found. ${deniedText(denied)}`;
  const start = `${words.startLogsIn('FOLDER')}, then set "logs" to that folder`;
  return `No ${logName(game)} of ${name} was found${configFile === null ? '' : ` near ${configFile}`}: ${start}.`;
}

/** The newest log, if this user may list but not read it. */
async function deniedLog({ game, logs }: FoundGameServer, files: FilePort): Promise<string[]> {
  if (logs === null) return [];
  const wanted = { matching: fileNamesOf(game.logs), stat: 'all' as const };
  const [newest] = newestLogs(await files.list(logs, wanted).catch(() => []), game.logs);
  if (newest === undefined) return [];
  const path = files.path.join(logs, newest.name);
  return await files.read(path, [{ offset: 0, length: 1 }]).then(
    () => [],
    (error: unknown) => (isDenied(error) ? [path] : []),
  );
}

async function ifItRestarts(game: string, file: string, files: FilePort): Promise<string | null> {
  const messages = await readMessagesFile(game, file, files).catch(() => null);
  return messages?.restartMinutes == null ? null : file;
}
