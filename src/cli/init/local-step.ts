import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { CommandFailure } from '../output.ts';
import type { Context } from './context.ts';
import type { Game, RunningServer } from '../../server/games/game.ts';
import { fileNamesOf } from '../../server/ingest/logs/formats/log-format.ts';
import { type FoundGameServer } from './find/servers-in.ts';
import { configFiles, gameNames } from '../../server/games/table.ts';
import { findLocalServers, findServersAt } from './find/local-servers.ts';
import { usualLogFolder } from './find/usual-folders.ts';
import { findRunningServers } from './find/running-servers.ts';
import { deniedText, planServer, tried, triedAddress, type Located } from './plan-server.ts';
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
  const at = resolve(untilded(path, context.machine.home));
  const { servers, denied, logFolders } = await findServersAt(context.local, at, running);
  if (servers.length > 0) return servers;
  const reason = !existsSync(at)
    ? `There is no such file or folder: ${at}.`
    : logFolders.length > 1
      ? `Several folders there have logs (${logFolders.slice(0, shownFolders).join(', ')}): name the one of your server.`
      : `Expected its ${configFiles}, or the folder that holds it.`;
  throw new CommandFailure(
    denied.length > 0 ? deniedText(denied) : `There is no ${gameNames} server at ${path}. ${reason}`,
  );
}

const untilded = (path: string, home: string): string => path.replace(/^~(?=$|[\\/])/, () => home);

async function queryOf(
  context: Context,
  { game, gamePort, queryPort }: FoundGameServer,
): Promise<TriedAddress> {
  return context.options.address === undefined
    ? await queryHere(context, game, gamePort, queryPort)
    : await triedAddress(context, game, context.options.address, gamePort, queryPort);
}

/** Gives the only server without logs those in the usual folder of its user. */
async function withUsualLogs(
  { local, machine, known }: Context,
  servers: readonly FoundGameServer[],
): Promise<readonly FoundGameServer[]> {
  const [only, ...others] = servers.filter(({ logs }) => logs === null);
  if (only === undefined || others.length > 0) return servers;
  const { servers: finder, logs: formats } = only.game;
  const folder = usualLogFolder(finder, machine, only.root);
  const matching = fileNamesOf(formats.filter(({ holds }) => holds === 'runs'));
  const logs = await local
    .of(folder)
    .list(folder, { matching, stat: [] })
    .catch(() => []);
  if (logs.length === 0 || known.logs.has(folder)) return servers;
  return servers.map((one) => (one === only ? { ...one, logs: folder } : one));
}

export async function planLocal(
  context: Context,
  servers: readonly FoundGameServer[],
): Promise<PlannedServer[]> {
  const located = await Promise.all(
    (await withUsualLogs(context, servers)).map(async (found): Promise<Located> => {
      const port = context.local.of(found.root);
      const clock = clockOfLogs(context, port, found, null);
      const tried = await queryOf(context, found);
      return { found, tried, port, place: null, clock: await clock };
    }),
  );
  const planned: PlannedServer[] = [];
  // One after another, because each may ask something.
  for (const one of located) {
    planned.push(await planServer(context, one));
    const { configFile, problems } = one.found;
    for (const { line, problem } of problems) context.warn(`${configFile}, line ${line}: ${problem}`);
  }
  return planned;
}
