import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  banNamesPath,
  directPort,
  findRentedServer,
  listRentedServers,
  type NitradoAccount,
  type RentedServer,
} from 'game-files';
import { fileProblem, remedyOf } from '../../server/files/errors.ts';
import type { Game } from '../../server/games/game.ts';
import { games, usualGame } from '../../server/games/index.ts';
import { Search } from '../../server/games/search.ts';
import { configFiles, gameNames } from '../../server/games/table.ts';
import { CommandFailure } from '../output.ts';
import type { FoundGameServer, FoundServers, Host, World } from './answers.ts';
import { otherHostsHere } from './query-port.ts';

/** How much a person waits for, and hosts allow: they take few requests at once, Nitrado only so many an hour. */
const limits = {
  here: { folders: 4_000, deadlineMs: 10_000 },
  host: { folders: 120, deadlineMs: 60_000 },
  nitrado: { folders: 12, deadlineMs: 60_000 },
};
const shownPaths = 3;

/** Looks for the servers of all games in a folder and those below it. */
async function find(search: Search, folder: string, isOneServers: boolean) {
  const servers: FoundGameServer[] = [];
  const logFolders: string[] = [];
  for (const game of games) {
    const found = await game.findServers(search, folder, isOneServers);
    servers.push(...found.servers.map((server) => ({ ...server, game })));
    logFolders.push(...found.logFolders);
  }
  return { servers, logFolders };
}

/** The servers in a folder of this machine, or in that of a file. @throws CommandFailure when there is none */
export async function findHere(text: string, { home }: World): Promise<FoundServers> {
  // Windows copies a path in quotes.
  const path = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const at = resolve(path.replace(/^~(?=$|[\\/])/, () => home));
  const isFile = await directPort.stat(at).then(
    () => true,
    () => false,
  );
  const search = new Search(directPort, limits.here);
  const { servers, logFolders } = await find(search, isFile ? dirname(at) : at, false);
  if (servers.length > 0)
    return {
      servers,
      files: directPort,
      place: null,
      keyFile: null,
      hosts: ['127.0.0.1', ...otherHostsHere()],
    };
  if (search.denied.length > 0) throw new CommandFailure(deniedText(search.denied));
  if (!existsSync(at)) throw new CommandFailure(`There is no such file or folder: ${at}.`);
  const reason =
    logFolders.length > 1
      ? `None of its folders has a ${configFiles}, and several have logs: name the one of your server, such as ${logFolders.slice(0, shownPaths).join(' or ')}.`
      : `Expected the folder that holds its ${configFiles}.`;
  throw new CommandFailure(`There is no ${gameNames} server at ${path}. ${reason}`);
}

/** What to do about files and folders that this user may not read. */
export const deniedText = (denied: readonly string[]): string =>
  `This user may not read ${denied.slice(0, shownPaths).join(', ')}. Add the user to the group of the game server's files, ` +
  'or run the command as the user that runs the game server.';

/** The servers where a login leads. @throws CommandFailure when there is none */
export async function findAtHost({ place, files, keyFile }: Host, { report }: World): Promise<FoundServers> {
  report('Looking for the game server there. This can take a minute.');
  const search = new Search(files, limits.host);
  const { servers } = await find(search, await rootOf(search), true);
  const usable = servers.filter(({ logs, configFile }) => logs !== null || configFile !== null);
  if (usable.length === 0) {
    throw new CommandFailure(
      `The login works, but the folders there hold no ${configFiles} and no ${games.map(logName).join(' or ')}. ` +
        'Check that it is the login of the game server.',
    );
  }
  // Without a config of its own, a server would be named after the folder of the login.
  const named = usable.map((server) =>
    server.isNamed ? server : { ...server, name: `${server.game.name} at ${place.host}` },
  );
  return { servers: named, files, place, keyFile, hosts: [place.host] };
}

/** Where the login leads, unless that is the root of everything that can be seen. */
async function rootOf(search: Search): Promise<string> {
  const [home, root] = [await search.names('.'), await search.names('/')];
  return home === null || (root !== null && root.join('/') === home.join('/')) ? '/' : '.';
}

/** The log of a game that is counted: `admin log (.ADM)`. */
export const logName = ({ words, logs }: Game): string =>
  logs[0] === undefined ? words.log : `${words.log} (${logs[0].files})`;

/** At least one. @throws CommandFailure */
export async function rentedAtNitrado(account: NitradoAccount): Promise<RentedServer[]> {
  let servers: RentedServer[];
  try {
    servers = await listRentedServers(account, usualGame.name);
  } catch (error) {
    // There is no config yet.
    const remedy = remedyOf(error);
    const message = `${fileProblem(error)}${remedy === null ? '' : `: ${remedy}`}.`;
    throw new CommandFailure(message, { cause: error });
  }
  if (servers.length > 0) return servers;
  throw new CommandFailure(`The account of this token has no ${usualGame.name} server.`);
}

/** A rented server and its files. @throws CommandFailure */
export async function findAtNitrado(
  account: NitradoAccount,
  { serviceId, name }: RentedServer,
  world: World,
): Promise<FoundServers> {
  const rented = await findRentedServer({ ...account, serviceId }).catch((error: unknown) => {
    throw new CommandFailure(`${name}: ${fileProblem(error)}.`, { cause: error });
  });
  const place = { type: 'nitrado' as const, serviceId, ...account };
  const files = world.remote.at(place).of('init');
  const search = new Search(files, limits.nitrado);
  const { servers } = await find(search, rented.folder, true);
  // Consoles have no ban file: the names are in the settings of the web interface.
  const hasNames = !servers[0]?.banFiles.length && (await search.stat(banNamesPath)) !== null;
  const server: FoundGameServer = {
    ...(servers[0] ?? nothingOf(usualGame)),
    name,
    isNamed: true,
    root: rented.folder,
    gamePort: rented.port ?? usualGame.ports.usual,
    queryPort: rented.queryPort,
  };
  // Paths are given from the game's folder on where they lie in it, as the web interface shows them.
  const shown = (path: string): string => {
    const relative = files.path.relative(rented.folder, path);
    return relative.startsWith('..') ? path : relative;
  };
  const placed: FoundGameServer = {
    ...server,
    // It is there as soon as the game has run.
    logs: server.logs === null ? (usualGame.usualLogs?.['nitrado'] ?? null) : shown(server.logs),
    playersDb: server.playersDb && shown(server.playersDb),
    messagesFile: server.messagesFile && shown(server.messagesFile),
    banFiles: hasNames
      ? [{ file: banNamesPath, format: 'nitrado' }]
      : server.banFiles.map((one) => ({ ...one, file: shown(one.file) })),
  };
  return {
    servers: [placed],
    files,
    place,
    keyFile: null,
    hosts: [rented.host ?? '127.0.0.1'],
    ...(rented.state !== null && { state: rented.state }),
    missing: rented.host === null ? [`Set "host" and "port" of ${name}: Nitrado does not name them.`] : [],
  };
}

const nothingOf = (game: Game): FoundGameServer => ({
  game,
  name: '',
  isNamed: true,
  root: '',
  configFile: null,
  gamePort: game.ports.usual,
  queryPort: null,
  logs: null,
  playersDb: null,
  messagesFile: null,
  banFiles: [],
  denied: [],
  advice: [],
  problems: [],
});
