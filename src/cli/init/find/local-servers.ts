import { stampOf, type Files } from '../../../server/ingest/files/file-port.ts';
import {
  isServerConfig,
  maxServerConfigBytes,
  readServerConfig,
} from '../../../server/games/dayz/server-config.ts';
import { serversIn, type FoundServer } from './found-server.ts';
import { isServerProgram, type Launch } from './launch.ts';
import { Search, SearchBudget } from './search.ts';
import { survey } from './survey.ts';
import { readLibraries, steamFolders, usualFolders, type Machine, type Root } from './usual-folders.ts';

/** A person waits. */
const limits = { folders: 4_000, deadlineMs: 10_000 };
/** Folders that no server is in, or that hold far too much. */
const passedBy =
  /^(?:\..*|node_modules|proc|sys|dev|windows|winsxs|program files.*|programdata|\$.*|lost\+found|snap|appdata)$/i;
const isFileName = (name: string): boolean => /\.[A-Za-z0-9]{1,4}$/.test(name);
const maxServers = 20;

/** Folders that many users may not read are no server's; those of other users may be. */
const mayBeServer = (folder: string): boolean =>
  /dayz|steam|serverfiles/i.test(folder) || /^\/home\/[^/]+$/.test(folder);

export interface FoundServers {
  servers: FoundServer[];
  /** Where a server may be that this user may not read. */
  denied: string[];
}

/** Looks for game servers on this machine: those that run, and those in the usual folders. */
export async function findLocalServers(
  files: Files,
  machine: Machine,
  running: readonly Launch[],
): Promise<FoundServers> {
  const budget = new SearchBudget(limits);
  // A folder that hangs, such as a share that is away, must not keep the others from being searched.
  const searches: Search[] = [];
  const searchIn = (folder: string): Search => {
    const search = new Search(files.of(`search of ${folder}`), budget);
    searches.push(search);
    return search;
  };
  const roots: Root[] = [
    ...running.flatMap(({ folder }) => (folder === null ? [] : [{ folder, depth: 0 }])),
    ...usualFolders(machine, await steamLibraries(searchIn, machine)),
  ];
  const visited = new Set<string>();
  const installs = await Promise.all(
    roots.map((root) => installsBelow(searchIn(root.folder), root, visited)),
  );
  const found = await Promise.all(
    [...new Set(installs.flat())].slice(0, maxServers).map(async (install) => {
      const search = searchIn(install);
      return await serversIn(search, await survey(search, install), {
        running: startedIn(search, install, running),
      });
    }),
  );
  const runningFirst = found.flat().toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning));
  const servers = await withoutLinked(runningFirst, searchIn);
  const denied = [...new Set(searches.flatMap((search) => search.denied))].filter(mayBeServer);
  return { servers, denied };
}

/** A folder can be reached by several paths: Steam keeps links to its own. */
async function withoutLinked(
  servers: readonly FoundServer[],
  searchIn: (folder: string) => Search,
): Promise<FoundServer[]> {
  const stamps = await Promise.all(
    servers.map(async ({ root, configFile }) => {
      const stat = configFile === null ? null : await searchIn(root).stat(configFile);
      return stat === null ? null : stampOf(stat);
    }),
  );
  return servers.filter(
    (_, index) => stamps[index] === null || stamps.indexOf(stamps[index] ?? null) === index,
  );
}

/** Looks for game servers in a folder that the owner named, or for the one of a config file. */
export async function findServersAt(
  files: Files,
  path: string,
  running: readonly Launch[],
): Promise<FoundServers & { logFolders: string[] }> {
  const search = new Search(files.of(`search of ${path}`), new SearchBudget(limits));
  const bytes = await search.read(path, maxServerConfigBytes);
  const root = bytes === null ? path : search.port.path.dirname(path);
  let found = await survey(search, root);
  if (bytes !== null) {
    const config = readServerConfig(bytes);
    if (!isServerConfig(config)) return { servers: [], denied: [], logFolders: [] };
    found = { ...found, configs: [{ file: path, config }] };
  }
  const servers = await serversIn(search, found, { running: startedIn(search, root, running) });
  return { servers, denied: search.denied, logFolders: found.logFolders };
}

const startedIn = (search: Search, install: string, running: readonly Launch[]): Launch[] =>
  running.filter(({ folder, config }) => {
    const { path } = search.port;
    if (folder !== null && search.isIn(install, folder)) return true;
    return config !== null && path.isAbsolute(config) && search.isIn(install, path.dirname(config));
  });

async function steamLibraries(searchIn: (folder: string) => Search, machine: Machine): Promise<string[]> {
  const libraries: string[] = [];
  for (const folder of steamFolders(machine)) {
    const search = searchIn(folder);
    const file = search.port.path.join(folder, 'steamapps', 'libraryfolders.vdf');
    const bytes = await search.read(file, 256 * 1024);
    libraries.push(folder, ...(bytes === null ? [] : readLibraries(bytes.toString('utf8'))));
  }
  return [...new Set(libraries)];
}

/** The folders with a game server's program, at most so many levels below the root. */
async function installsBelow(
  search: Search,
  { folder: root, depth }: Root,
  visited: Set<string>,
): Promise<string[]> {
  const { join } = search.port.path;
  const installs: string[] = [];
  let level = [root];
  for (let left = depth; left >= 0 && level.length > 0; left--) {
    const next: string[] = [];
    for (const folder of level) {
      const key = `${folder} ${left}`;
      if (visited.has(key)) continue;
      visited.add(key);
      const names = (await search.names(folder)) ?? [];
      if (names.some((name) => isServerProgram(name) || /^serverDZ.*\.cfg$/i.test(name)))
        installs.push(folder);
      else
        next.push(
          ...names
            .filter((name) => !isFileName(name) && !passedBy.test(name))
            .map((name) => join(folder, name)),
        );
    }
    level = next;
  }
  return installs;
}
