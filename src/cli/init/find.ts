import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
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
import { findServers, type FoundServer } from '../dayz/find-servers.ts';
import { Search } from '../dayz/search.ts';
import { CommandFailure } from '../output.ts';
import type { GameAddress } from './address.ts';
import type { Login } from './login.ts';
import type { World } from './questions.ts';
import { otherHostsHere } from './query-port.ts';
import { limits } from '../limits.ts';

const { configFile } = dayz.words;

/** Servers in a folder, and how the folder is reached. */
export interface FoundServers {
  servers: FoundServer[];
  files: FileAccess;
  /** Null: on this machine. */
  place: Place | null;
  /** The file with the private key of the place; null: it takes none. */
  keyFile: string | null;
  /** Where the servers may answer queries, likely first. */
  hosts: readonly string[];
  /** How its host says that the only server is; left out: they answer queries themselves. */
  state?: ServerState;
}

/** The servers in a folder of this machine, or in that of a file. @throws CommandFailure when there is none */
export async function findHere(text: string): Promise<FoundServers> {
  // Windows copies a path in quotes.
  const path = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const at = resolve(path.replace(/^~(?=$|[\\/])/, () => homedir()));
  const isFile = await directFiles.stat(at).then(
    () => true,
    () => false,
  );
  const search = new Search(directFiles, limits.searchHere);
  const { servers, logFolders } = await findServers(search, isFile ? dirname(at) : at, false);
  if (servers.length > 0) return { ...here, servers, hosts: ['127.0.0.1', ...otherHostsHere()] };
  if (search.denied.length > 0) throw new CommandFailure(deniedText(search.denied));
  if (!existsSync(at)) throw new CommandFailure(`There is no such file or folder: ${at}.`);
  const reason =
    logFolders.length > 1
      ? `None of its folders has a ${configFile}, and several have logs: name the one of your server, such as ${logFolders.slice(0, limits.shownPaths).join(' or ')}.`
      : `Expected the folder that holds its ${configFile}.`;
  throw new CommandFailure(`There is no DayZ server at ${path}. ${reason}`);
}

const here = { files: directFiles, place: null, keyFile: null };

/** A server of which nothing but its address is known. @param name null: it is named after the address */
export function addressOnly({ host, port }: GameAddress, name: string | null): FoundServers {
  const server: FoundServer = {
    ...noFiles,
    name: name ?? `DayZ at ${host}`,
    isNamed: name !== null,
    gamePort: port ?? dayz.ports.usual,
  };
  return { ...here, servers: [server], hosts: [host] };
}

/** What to do about files and folders that this user may not read. */
export const deniedText = (denied: readonly string[]): string =>
  `This user may not read ${denied.slice(0, limits.shownPaths).join(', ')}. Add the user to the group of the game server's files, ` +
  'or run the command as the user that runs the game server.';

/** The servers where a login leads. @throws CommandFailure when there is none */
export async function findAtHost({ place, files, keyFile }: Login, { report }: World): Promise<FoundServers> {
  report('Looking for the game server there. This can take a minute.');
  const search = new Search(files, limits.searchAtHost);
  const { servers } = await findServers(search, await rootOf(search), true);
  if (servers.length === 0) {
    throw new CommandFailure(
      `The login works, but the folders there hold no ${configFile} and no ${dayz.words.log}. ` +
        'Check that it is the login of the game server.',
    );
  }
  // Without a config of its own, a server would be named after the folder of the login.
  const named = servers.map((server) =>
    server.isNamed ? server : { ...server, name: `DayZ at ${place.host}` },
  );
  return { servers: named, files, place, keyFile, hosts: [place.host] };
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
): Promise<FoundServers> {
  const rented = await findRentedServer({ ...account, serviceId }).catch((error: unknown) => {
    throw new CommandFailure(`${name}: ${fileProblem(error)}.`, { cause: error });
  });
  const place = { type: 'nitrado' as const, serviceId, ...account };
  const files = remote.at(place).of('init');
  const search = new Search(files, limits.searchAtNitrado);
  const { servers } = await findServers(search, rented.folder, true);
  const { logs, playersDb, messagesFile, banFiles, ...found } = servers[0] ?? noFiles;
  // Consoles have no ban file: the names are in the settings of the web interface.
  const hasNames = banFiles.length === 0 && (await search.stat(banNamesPath)) !== null;
  // Paths are given from the game's folder on where they lie in it, as the web interface shows them.
  const shown = (path: string): string => {
    const relative = files.path.relative(rented.folder, path);
    return relative.startsWith('..') ? path : relative;
  };
  const server: FoundServer = {
    ...found,
    name,
    isNamed: true,
    root: rented.folder,
    gamePort: rented.port ?? dayz.ports.usual,
    queryPort: rented.queryPort,
    // It is there as soon as the game has run.
    logs: logs === null ? dayz.usualLogs.nitrado : shown(logs),
    playersDb: playersDb && shown(playersDb),
    messagesFile: messagesFile && shown(messagesFile),
    banFiles: hasNames
      ? [{ file: banNamesPath, format: 'nitrado' }]
      : banFiles.map((one) => ({ ...one, file: shown(one.file) })),
  };
  return {
    servers: [server],
    files,
    place,
    keyFile: null,
    hosts: [rented.host ?? unnamedHost],
    ...(rented.state !== null && { state: rented.state }),
  };
}

const noFiles: FoundServer = {
  name: '',
  isNamed: true,
  root: null,
  configFile: null,
  gamePort: dayz.ports.usual,
  queryPort: null,
  logs: null,
  playersDb: null,
  messagesFile: null,
  banFiles: [],
  denied: [],
};
