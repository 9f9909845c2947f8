import { fileProblem, remedyOf } from '../../server/files/errors.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import { banNamesPath } from '../../server/files/remote/nitrado/nitrado-files.ts';
import {
  findRentedServer,
  listRentedServers,
  type NitradoAccount,
  type RentedServer,
} from '../../server/files/remote/nitrado/rented-servers.ts';
import { usualGame } from '../../server/games/index.ts';
import { Search, SearchBudget } from '../../server/games/search.ts';
import { CommandFailure } from '../output.ts';
import type { Context } from './context.ts';
import { type FoundGameServer, serversIn } from './find/servers-in.ts';
import { readSecretFile } from './options.ts';
import { orBack, type Prompts } from './prompts.ts';
import { planServer, tried } from './plan-server.ts';
import type { PlannedServer } from './plan.ts';
import { clockOfLogs } from './time-zone.ts';

/** Each folder is a request, and an account may send only so many an hour. */
const limits = { folders: 12, deadlineMs: 60_000 };
const attempts = 5;

const game = usualGame;

/** Asks for a token of Nitrado and, if it has several, for the server. Null: Enter alone. */
export async function askForNitrado(context: Context, prompts: Prompts): Promise<PlannedServer[] | null> {
  prompts.info(
    'Create a long-life token with the scope "service": https://server.nitrado.net/developer/tokens',
  );
  return await prompts.until(
    async () => await prompts.secret(`Token of Nitrado ${orBack}`),
    async (token) => {
      const account = { token, baseUrl: context.environment.nitradoApiUrl };
      const servers = othersOf(context, await rented(account));
      return await planRented(context, account, await chosenOf(servers, prompts));
    },
    attempts,
  );
}

async function chosenOf(
  servers: readonly RentedServer[],
  prompts: Prompts,
): Promise<readonly RentedServer[]> {
  if (servers.length === 1) return servers;
  return await prompts.select<readonly RentedServer[]>('Which server?', [
    ...servers.map((server) => ({
      value: [server],
      label: server.name,
      hint: `${server.game}, ${server.serviceId}`,
    })),
    { value: servers, label: `All ${servers.length}` },
  ]);
}

/** With the options alone. @throws CommandFailure */
export async function nitradoOfOptions(context: Context): Promise<PlannedServer[]> {
  const { nitradoTokenFile, nitradoService } = context.options;
  if (nitradoTokenFile === undefined) {
    throw new CommandFailure(
      '--nitrado-token-file is missing: expected a file that holds the token of Nitrado',
    );
  }
  const token = readSecretFile(nitradoTokenFile, '--nitrado-token-file');
  const account = { token, baseUrl: context.environment.nitradoApiUrl };
  const servers = await rented(account);
  for (const id of nitradoService ?? []) {
    if (servers.some(({ serviceId }) => serviceId === id)) continue;
    const list = servers.map(({ serviceId, name }) => `${serviceId} (${name})`).join(', ');
    throw new CommandFailure(
      `--nitrado-service: this account has no ${game.name} server ${id}. It has ${list}.`,
    );
  }
  const chosen =
    nitradoService === undefined
      ? othersOf(context, servers)
      : servers.filter(({ serviceId }) => nitradoService.includes(serviceId));
  return await planRented(context, account, chosen);
}

/** At least one. @throws CommandFailure */
async function rented(account: NitradoAccount): Promise<RentedServer[]> {
  let servers: RentedServer[];
  try {
    servers = await listRentedServers(account, game.name);
  } catch (error) {
    // There is no config yet.
    const remedy = remedyOf(error)?.replace(', and put it where files.token says', '') ?? null;
    throw new CommandFailure(`${fileProblem(error)}${remedy === null ? '' : `: ${remedy}`}.`, {
      cause: error,
    });
  }
  if (servers.length > 0) return servers;
  throw new CommandFailure(`The account of this token has no ${game.name} server.`);
}

/** Those that the config does not have yet. @throws CommandFailure when there is none */
function othersOf({ known: { services } }: Context, servers: readonly RentedServer[]): RentedServer[] {
  const others = servers.filter(({ serviceId }) => !services.has(serviceId));
  if (others.length > 0) return others;
  throw new CommandFailure(`The config has every ${game.name} server of this account already.`);
}

async function planRented(
  context: Context,
  account: NitradoAccount,
  servers: readonly RentedServer[],
): Promise<PlannedServer[]> {
  const planned: PlannedServer[] = [];
  for (const server of servers) planned.push(await planOne(context, account, server));
  return planned;
}

async function planOne(
  context: Context,
  account: NitradoAccount,
  { serviceId, name }: RentedServer,
): Promise<PlannedServer> {
  const address = await findRentedServer({ ...account, serviceId }).catch((error: unknown) => {
    throw new CommandFailure(`${name}: ${fileProblem(error)}.`, { cause: error });
  });
  const place = { type: 'nitrado' as const, serviceId, ...account };
  const port = context.remote.at(place).of('init');
  const inFolder = await findAtNitrado(port, address.folder, name);
  // Consoles have no ban file: the names are in the settings of the web interface.
  const hasNames = inFolder.banFiles.length === 0 && (await isThere(port, banNamesPath));
  const found = hasNames ? { ...inFolder, banFiles: [{ file: banNamesPath, format: 'nitrado' }] } : inFolder;
  const host = address.host ?? '127.0.0.1';
  const gamePort = address.port ?? game.ports.usual;
  const { state } = address;
  const at =
    state === null
      ? await tried(context, game, [host], gamePort, address.queryPort)
      : {
          host,
          gamePort,
          queryPort: null,
          answer: state.status === 'ONLINE' ? state : null,
          isUnknown: false,
        };
  const clock = await clockOfLogs(context, port, found, place);
  const server = await planServer(context, { found, tried: at, port, place, clock });
  const missing =
    address.host === null ? [`Set "host" and "port" of ${name}: Nitrado does not name them.`] : [];
  return { ...server, missing: [...missing, ...server.missing] };
}

const isThere = async (port: FilePort, path: string): Promise<boolean> =>
  await port.stat(path).then(
    () => true,
    () => false,
  );

/** Paths are given from the game's folder on where they lie in it, as the web interface shows them. */
async function findAtNitrado(port: FilePort, folder: string, name: string): Promise<FoundGameServer> {
  const search = new Search(port, new SearchBudget(limits));
  const { servers } = await serversIn(search, folder, { of: [game], isOneServers: true });
  const [found] = servers;
  const relative = (path: string | null): string | null =>
    path !== null && !port.path.relative(folder, path).startsWith('..')
      ? port.path.relative(folder, path)
      : path;
  const server: FoundGameServer = found ?? {
    game,
    name,
    isNamed: true,
    root: folder,
    configFile: null,
    isRunning: false,
    gamePort: game.ports.usual,
    queryPort: null,
    logs: null,
    playersDb: null,
    messagesFile: null,
    banFiles: [],
    denied: [],
    advice: [],
    problems: [],
  };
  return {
    ...server,
    name,
    root: folder,
    // It is there as soon as the game has run.
    logs: relative(server.logs) ?? game.usualLogs?.['nitrado'] ?? null,
    playersDb: relative(server.playersDb),
    messagesFile: relative(server.messagesFile),
    banFiles: server.banFiles.map((one) => ({ ...one, file: relative(one.file) ?? one.file })),
  };
}
