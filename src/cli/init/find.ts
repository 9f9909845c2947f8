import { existsSync } from 'node:fs';
import { homedir, networkInterfaces } from 'node:os';
import { dirname, resolve } from 'node:path';
import {
  banNamesPath,
  directFiles,
  type FileAccess,
  findRentedServer,
  listRentedServers,
  type NitradoAccount,
  type Place,
  type RentedServer,
} from 'game-files';
import { fileProblem, remedyOf } from '../../server/files/errors.ts';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import type { ServerState } from '../../server/store/repositories/projects/servers.ts';
import { findServer, type FoundFiles, Search } from '../dayz/find-server.ts';
import { CommandFailure } from '../output.ts';
import type { GameAddress, Login } from './login.ts';
import type { World } from './questions.ts';
import { limits } from '../limits.ts';

const { configFile } = dayz.words;

/** A game server, its files, and how they are reached. */
export interface FoundServer extends FoundFiles {
  files: FileAccess;
  /** Null: on this machine. */
  place: Place | null;
  /** The file with the private key of the place; null: it takes none. */
  keyFile: string | null;
  /** Where the server may answer queries, likely first. */
  hosts: readonly string[];
  gamePort: number;
  /** How its host says that the server is; left out: the server answers queries itself. */
  state?: ServerState;
}

const here = { files: directFiles, place: null, keyFile: null, gamePort: dayz.ports.usual };

/** Where a game server of this machine answers that is bound to one address, or runs beside the container of Outpost. */
const otherHostsHere = (): string[] => [
  ...Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  ),
  'host.docker.internal',
];

/** The server in a folder of this machine, or that of a config. @throws CommandFailure when there is none */
export async function findHere(text: string): Promise<FoundServer> {
  // Windows copies a path in quotes.
  const path = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const at = resolve(path.replace(/^~(?=$|[\\/])/, () => homedir()));
  const isFile = await directFiles.stat(at).then(
    () => true,
    () => false,
  );
  const search = new Search(directFiles, limits.searchHere);
  const { server, choices } = await findServer(search, isFile ? dirname(at) : at, at);
  const several = choices.slice(0, limits.shownPaths).join(' or ');
  if (server === null) {
    if (search.denied.length > 0) throw new CommandFailure(deniedText(search.denied));
    if (!existsSync(at)) throw new CommandFailure(`There is no such file or folder: ${at}.`);
  } else if (choices.length === 0) return { ...here, ...server, hosts: ['127.0.0.1', ...otherHostsHere()] };
  else if (server.configFile !== null)
    throw new CommandFailure(
      `There are several DayZ servers at ${path}: name the ${configFile} of one, such as ${several}. docs/configuration.md says how to add another one.`,
    );
  const reason =
    several === ''
      ? `Expected the folder that holds its ${configFile}.`
      : `None of its folders has a ${configFile}, and several have logs: name the one of your server, such as ${several}.`;
  throw new CommandFailure(`There is no DayZ server at ${path}. ${reason}`);
}

/** A game server of which nothing but its address is known. @param name null: it is named after the address */
export const addressOnly = ({ host, port }: GameAddress, name: string | null): FoundServer => ({
  ...here,
  ...noFiles,
  name: name ?? `DayZ at ${host}`,
  isNamed: name !== null,
  hosts: [host],
  gamePort: port ?? dayz.ports.usual,
});

/** What to do about files and folders that this user may not read. */
export const deniedText = (denied: readonly string[]): string =>
  `This user may not read ${denied.slice(0, limits.shownPaths).join(', ')}. Add the user to the group of the game server's files, ` +
  'or run the command as the user that runs the game server.';

/** The server where a login leads. @throws CommandFailure when there is none */
export async function findAtHost({ place, files, keyFile }: Login, world: World): Promise<FoundServer> {
  world.report('Looking for the game server there. This can take a minute.');
  const search = new Search(files, limits.searchAtHost);
  const { server, choices } = await findServer(search, await rootOf(search));
  if (server === null) {
    throw new CommandFailure(
      `The login works, but the folders there hold no ${configFile} and no ${dayz.words.log}. ` +
        'Check that it is the login of the game server.',
    );
  }
  if (server.configFile !== null && choices.length > 1)
    world.warn(
      `There are several DayZ servers: ${choices.slice(0, limits.shownPaths).join(', ')}. The first is taken; docs/configuration.md says how to add another one.`,
    );
  // Without a config of its own, a server would be named after the folder of the login.
  const name = server.isNamed ? server.name : `DayZ at ${place.host}`;
  return { ...here, ...server, name, files, place, keyFile, hosts: [place.host] };
}

/** Where the login leads, unless that is the root of everything that can be seen. */
async function rootOf(search: Search): Promise<string> {
  const [home, root] = [await search.names('.'), await search.names('/')];
  return home === null || root?.join('/') === home.join('/') ? '/' : '.';
}

/** At least one. @throws CommandFailure */
export async function rentedAtNitrado(account: NitradoAccount): Promise<RentedServer[]> {
  const servers = await listRentedServers(account, dayz.name).catch((error: unknown) => {
    // There is no config yet.
    const remedy = remedyOf(error);
    const message = `${fileProblem(error)}${remedy === null ? '' : `: ${remedy}`}.`;
    throw new CommandFailure(message, { cause: error });
  });
  if (servers.length > 0) return servers;
  throw new CommandFailure('The account of this token has no DayZ server.');
}

/** What the config gets as host where Nitrado names none: it needs one. */
export const unnamedHost = '127.0.0.1';

/** A rented server and its files. @throws CommandFailure */
export async function findAtNitrado(
  account: NitradoAccount,
  { serviceId, name }: RentedServer,
  { remote }: World,
): Promise<FoundServer> {
  const rented = await findRentedServer({ ...account, serviceId }).catch((error: unknown) => {
    throw new CommandFailure(`${name}: ${fileProblem(error)}.`, { cause: error });
  });
  const place = { type: 'nitrado' as const, serviceId, ...account };
  const files = remote.at(place).of('init');
  const search = new Search(files, limits.searchAtNitrado);
  const { server } = await findServer(search, rented.folder);
  const { logs, playersDb, messagesFile, banFiles, ...found } = server ?? noFiles;
  // Consoles have no ban file: the names are in the settings of the web interface.
  const hasNames = banFiles.length === 0 && (await search.stat(banNamesPath)) !== null;
  // Paths are given from the game's folder on where they lie in it, as the web interface shows them.
  const shown = (path: string): string => {
    const relative = files.path.relative(rented.folder, path);
    return relative.startsWith('..') ? path : relative;
  };
  return {
    ...here,
    ...found,
    name,
    isNamed: true,
    root: rented.folder,
    files,
    place,
    hosts: [rented.host ?? unnamedHost],
    gamePort: rented.port ?? dayz.ports.usual,
    queryPort: rented.queryPort,
    // It is there as soon as the game has run.
    logs: logs === null ? dayz.usualLogs.nitrado : shown(logs),
    playersDb: playersDb && shown(playersDb),
    messagesFile: messagesFile && shown(messagesFile),
    banFiles: hasNames
      ? [{ file: banNamesPath, format: 'nitrado' }]
      : banFiles.map((one) => ({ ...one, file: shown(one.file) })),
    ...(rented.state !== null && { state: rented.state }),
  };
}

const noFiles: FoundFiles = {
  name: '',
  isNamed: true,
  root: null,
  configFile: null,
  queryPort: null,
  logs: null,
  playersDb: null,
  messagesFile: null,
  banFiles: [],
  denied: [],
};
