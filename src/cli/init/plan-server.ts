import { placeKinds } from '../../config/schema/files.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import type { Place } from '../../server/files/remote/place.ts';
import type { Game } from '../../server/games/game.ts';
import { gameNames } from '../../server/games/table.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import { isOnConsole } from '../console-logs.ts';
import { CommandFailure } from '../output.ts';
import { readGameAddress } from './address.ts';
import { hostAndPort } from '../../server/files/remote/place-name.ts';
import type { Context } from './context.ts';
import { type FoundGameServer, logName } from './find/servers-in.ts';
import type { PlannedServer } from './plan.ts';
import { tryQueryPort, type TriedAddress } from './query-port.ts';
import { type clockOfLogs, ownZone, planZone } from './time-zone.ts';

export interface Located {
  found: FoundGameServer;
  tried: TriedAddress;
  port: FilePort;
  /** Null: this machine. */
  place: Place | null;
  /** Of its logs. */
  clock: Awaited<ReturnType<typeof clockOfLogs>>;
  privateKeyFile?: string | undefined;
}

/** Reports what was found of a server. @returns what the config says about it */
export async function planServer(context: Context, located: Located): Promise<PlannedServer> {
  const { found, tried: at, port, place, privateKeyFile } = located;
  const { game, logs, playersDb, banFiles } = found;
  const isMute = at.answer === null && (await isOnConsole(game.type, logs, port));
  const tried = isMute ? { ...at, queryPort: null } : at;
  const { zone, basis, missing } = await planZone(context, found, place, located.clock);
  const planned: PlannedServer = {
    game: game.type,
    name: found.name,
    host: tried.host,
    port: tried.gamePort,
    queryPort: tried.queryPort,
    timezone: zone,
    timezoneBasis: basis,
    place,
    logs,
    playersDb,
    messagesFile: found.messagesFile && (await ifItRestarts(game.type, found.messagesFile, port)),
    banFiles,
    missing: [
      ...queryMissing(game, found.name, tried, place),
      ...(logs === null ? [logsMissing(found)] : found.denied.length > 0 ? [deniedText(found.denied)] : []),
      ...(missing === null ? [] : [missing]),
      ...found.advice,
    ],
    ...(privateKeyFile === undefined ? {} : { privateKeyFile }),
  };
  context.report(summary(located, planned));
  return planned;
}

function summary({ found, port, tried }: Located, planned: PlannedServer): string {
  const { answer } = tried;
  const { configFile, root } = found;
  const below = (path: string | null): string | null => {
    const relative = path === null ? null : port.path.relative(root, path);
    return relative === null || relative === '' || relative.startsWith('..') ? path : relative;
  };
  const { characterFile, readRestart } = found.game;
  const rows: [string, string | null][] = [
    ['folder', root],
    ['config', below(configFile)],
    ['status', answer ? answerText(answer) : unansweredText(tried, planned)],
    ['logs', below(planned.logs)],
  ];
  if (characterFile !== undefined) rows.push([characterFile.name, below(planned.playersDb)]);
  if (readRestart !== undefined) rows.push(['restarts', below(planned.messagesFile)]);
  for (const { file } of planned.banFiles) rows.push(['bans', below(file)]);
  rows.push(['time zone', `${planned.timezone} (${planned.timezoneBasis})`]);
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)}  ${value ?? 'not found'}`);
  return [planned.name, ...lines].join('\n');
}

/** A server of which nothing but its status is known. */
export function planAddress(game: Game, given: string | null, tried: TriedAddress): PlannedServer {
  const name = given ?? `${game.name} at ${tried.host}`;
  const { zone, basis } = ownZone();
  return {
    game: game.type,
    name,
    isNamed: given !== null,
    host: tried.host,
    port: tried.gamePort,
    queryPort: tried.queryPort,
    timezone: zone,
    timezoneBasis: basis,
    place: null,
    logs: null,
    playersDb: null,
    messagesFile: null,
    banFiles: [],
    missing: [
      ...queryMissing(game, name, tried, null),
      ...(tried.answer === null
        ? [
            `If ${name} runs another game than ${gameNames}, add "game" to it in the config (docs/files.md says which values there are), and correct "queryPort".`,
          ]
        : []),
      `Only the status of ${name} is shown. For kills, leaderboards and bans, add where its files are ("files", "logs").`,
    ],
  };
}

export async function tried(
  context: Context,
  game: Game,
  hosts: readonly string[],
  gamePort: number,
  known: number | null,
): Promise<TriedAddress> {
  const given = context.options.queryPort === undefined ? known : Number(context.options.queryPort);
  return await tryQueryPort(game, hosts, gamePort, given);
}

/** Queries `host:port`. @throws CommandFailure when the host has no IPv4 address */
export async function triedAddress(
  context: Context,
  game: Game,
  text: string,
  usualPort: number,
  known: number | null,
): Promise<TriedAddress> {
  const { host, port } = readGameAddress(text);
  const at = await tried(context, game, [host], port ?? usualPort, known);
  if (!at.isUnknown) return at;
  throw new CommandFailure(
    `No IPv4 address was found for ${host}. Check its spelling, and that this machine has a network.`,
  );
}

function unansweredText({ host, queryPort }: TriedAddress, planned: PlannedServer): string {
  if (queryPort === null) return 'does not run, says its host';
  return planned.queryPort === null
    ? 'unknown: a server on a console answers no query'
    : `no answer at ${host}:${queryPort}`;
}

/** One line for the owner. */
export function answerText({ players, maxPlayers, map }: NonNullable<TriedAddress['answer']>): string {
  return `${players ?? '?'} of ${maxPlayers ?? '?'} players${map === null ? '' : ` on ${map}`}`;
}

function queryMissing(
  { words }: Game,
  name: string,
  { host, queryPort, answer }: TriedAddress,
  place: Place | null,
): string[] {
  if (answer !== null || queryPort === null) return [];
  const right =
    (place && placeKinds[place.type].provider?.queryPort) ?? `${words.queryPort} in its ${words.configFile}`;
  return [
    `${name} does not answer at ${hostAndPort({ host, port: queryPort })}. Start the game server, and compare "queryPort" with ${right}.`,
  ];
}

function logsMissing({ game, name, configFile, denied }: FoundGameServer): string {
  const { words } = game;
  if (denied.length > 0) return `No ${logName(game)} of ${name} was found. ${deniedText(denied)}`;
  const start = `${words.startLogsIn}, then set "logs" to that folder`;
  return `No ${logName(game)} of ${name} was found${configFile === null ? '' : ` near ${configFile}`}: ${start}.`;
}

const shownPaths = 3;

/** What to do about files and folders that this user may not read. */
export const deniedText = (denied: readonly string[]): string =>
  `This user may not read ${denied.slice(0, shownPaths).join(', ')}. Add the user to the group of the game server's files, ` +
  'or run the command as the user that runs the game server.';

async function ifItRestarts(game: string, file: string, port: FilePort): Promise<string | null> {
  const messages = await readMessagesFile(game, file, port).catch(() => null);
  return messages?.restartMinutes == null ? null : file;
}
