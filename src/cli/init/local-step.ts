import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { CommandFailure } from '../output.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import type { Context } from './context.ts';
import { deniedText } from './denied.ts';
import type { Game, RunningServer } from '../../server/games/game.ts';
import { type FoundGameServer } from './find/servers-in.ts';
import { configFiles, gameNames } from '../../server/games/table.ts';
import { findLocalServers, findServersAt } from './find/local-servers.ts';
import { findRunningServers } from './find/running-servers.ts';
import { answerText, planServer, tried, triedAddress, type Located, type Tried } from './plan-server.ts';
import { clockOfLogs } from './time-zone.ts';
import type { PlannedServer } from './plan.ts';
import type { TriedAddress } from './query-port.ts';

const loopback = '127.0.0.1';
const shownFolders = 3;

/** Where a game server answers that is bound to one address, or runs beside the container of Outpost. */
const otherAddresses = (): string[] => [
  ...Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  ),
  'host.docker.internal',
];

async function queryHere(
  context: Context,
  game: Game,
  gamePort: number,
  queryPort: number | null,
): Promise<TriedAddress> {
  const usual = await tried(context, game, [loopback], gamePort, queryPort);
  if (usual.answer !== null) return usual;
  const other = await tried(context, game, otherAddresses(), gamePort, queryPort);
  return other.answer === null ? usual : other;
}

/** The game servers on this machine that a search finds. */
export async function searchThisMachine(context: Context): Promise<FoundGameServer[]> {
  const running = await findRunningServers();
  const { servers, denied } = await findLocalServers(context.local, context.machine, running);
  if (servers.length === 0 && denied.length > 0) context.warn(deniedText(denied));
  return servers;
}

/** @throws CommandFailure when there is none */
export async function serversAt(context: Context, text: string): Promise<FoundGameServer[]> {
  const running: RunningServer[] = await findRunningServers();
  // Windows copies a path in quotes.
  const path = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const { servers, denied, logFolders } = await findServersAt(
    context.local,
    resolve(untilded(path, context.machine.home)),
    running,
  );
  if (servers.length > 0) return servers;
  const reason =
    logFolders.length > 1
      ? `Several folders there have logs (${logFolders.slice(0, shownFolders).join(', ')}): name the one of your server.`
      : `Expected its ${configFiles}, or the folder that holds it.`;
  throw new CommandFailure(
    denied.length > 0 ? deniedText(denied) : `There is no ${gameNames} server at ${path}. ${reason}`,
  );
}

const untilded = (path: string, home: string): string => path.replace(/^~(?=$|[\\/])/, () => home);

async function queryOf(context: Context, { game, gamePort, queryPort }: FoundGameServer): Promise<Tried> {
  return context.options.address === undefined
    ? { gamePort, at: await queryHere(context, game, gamePort, queryPort) }
    : await triedAddress(context, game, context.options.address, gamePort, queryPort);
}

export async function planLocal(
  context: Context,
  servers: readonly FoundGameServer[],
): Promise<PlannedServer[]> {
  const { report, local } = context;
  const located = await Promise.all(
    servers.map(async (found): Promise<Located> => {
      const port = local.of(found.root);
      const clock = clockOfLogs(context, port, found, null);
      const { gamePort, at } = await queryOf(context, found);
      return { found, gamePort, tried: at, port, place: null, clock: await clock };
    }),
  );
  const planned: PlannedServer[] = [];
  // One after another, because each may ask something.
  for (const one of located) {
    const { found, port, tried: at } = one;
    const server = await planServer(context, one);
    report(summary(found, server, port, at.answer === null ? null : answerText(at.answer)));
    for (const { line, problem } of found.problems) {
      context.warn(`${found.configFile}, line ${line}: ${problem}`);
    }
    planned.push(server);
  }
  return planned;
}

/** What was found of a server. @param answer of its query; null: none */
export function summary(
  found: FoundGameServer,
  planned: PlannedServer,
  port: FilePort,
  answer: string | null,
): string {
  const { configFile, root } = found;
  const below = (path: string | null): string | null => {
    const relative = path === null ? null : port.path.relative(root, path);
    return relative === null || relative === '' || relative.startsWith('..') ? path : relative;
  };
  const { characterFile, readRestart } = found.game;
  const rows: [string, string | null][] = [
    ['folder', root],
    ['config', below(configFile)],
    ['status', answer ?? `no answer at ${planned.host}:${planned.queryPort}`],
    ['logs', below(planned.logs)],
  ];
  if (characterFile !== undefined) rows.push([characterFile.name, below(planned.playersDb)]);
  if (readRestart !== undefined) rows.push(['restarts', below(planned.messagesFile)]);
  for (const { file } of planned.banFiles) rows.push(['bans', below(file)]);
  rows.push(['time zone', `${planned.timezone} (${planned.timezoneBasis})`]);
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)}  ${value ?? 'not found'}`);
  return [planned.name, ...lines].join('\n');
}
