import type { Files } from '../../../server/files/file-port.ts';
import { stampOf } from '../../../server/files/file-stamp.ts';
import type { Game, RunningServer } from '../../../server/games/game.ts';
import { games } from '../../../server/games/index.ts';
import { Search, SearchBudget } from '../../../server/games/search.ts';
import { type FoundGameServer, serversIn } from './servers-in.ts';
import { readLibraries, steamFolders, usualFolders, type Machine, type Root } from './usual-folders.ts';

/** A person waits. */
const limits = { folders: 4_000, deadlineMs: 10_000 };
/** Folders that no server is in, or that hold far too much. */
const passedBy =
  /^(?:\..*|node_modules|proc|sys|dev|windows|winsxs|program files.*|programdata|\$.*|lost\+found|snap|appdata)$/i;
const isFileName = (name: string): boolean => /\.[A-Za-z0-9]{1,4}$/.test(name);
const maxServers = 20;
/** A larger file is none of a game's configs. */
const maxConfigBytes = 1024 * 1024;

const usualNames = ['steam', ...games.flatMap(({ servers }) => servers.folders.home)].map((name) =>
  name.toLowerCase(),
);

/** Folders that many users may not read are no server's; those of other users may be. */
const mayBeServer = (folder: string): boolean =>
  usualNames.some((name) => folder.toLowerCase().includes(name)) || /^\/home\/[^/]+$/.test(folder);

interface FoundServers {
  servers: FoundGameServer[];
  /** Where a server may be that this user may not read. */
  denied: string[];
}

/** Looks for game servers on this machine: those that run, and those in the usual folders. */
export async function findLocalServers(
  files: Files,
  machine: Machine,
  running: readonly RunningServer[],
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
    withoutEqual(installs.flat())
      .slice(0, maxServers)
      .map(async ({ folder, of }) => {
        const search = searchIn(folder);
        const { servers } = await serversIn(search, folder, {
          of,
          running: startedIn(search, folder, running),
        });
        return servers;
      }),
  );
  const runningFirst = found.flat().toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning));
  const servers = await withoutLinked(runningFirst, searchIn);
  const denied = [...new Set(searches.flatMap((search) => search.denied))].filter(mayBeServer);
  return { servers, denied };
}

const withoutEqual = (installs: readonly Install[]): Install[] => [
  ...new Map(installs.map((install) => [install.folder, install])).values(),
];

/** A folder can be reached by several paths: Steam keeps links to its own. */
async function withoutLinked(
  servers: readonly FoundGameServer[],
  searchIn: (folder: string) => Search,
): Promise<FoundGameServer[]> {
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
  running: readonly RunningServer[],
): Promise<FoundServers & { logFolders: string[] }> {
  const search = new Search(files.of(`search of ${path}`), new SearchBudget(limits));
  const bytes = await search.read(path, maxConfigBytes);
  const root = bytes === null ? path : search.port.path.dirname(path);
  const found = await serversIn(search, root, {
    running: startedIn(search, root, running),
    ...(bytes !== null && { configFile: { path, bytes } }),
  });
  // A file that is no config of a server says nothing about what lies beside it.
  const denied = bytes !== null && found.servers.length === 0 ? [] : search.denied;
  return { ...found, denied };
}

const startedIn = (search: Search, install: string, running: readonly RunningServer[]): RunningServer[] =>
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

/** A folder, and the games whose servers are there. */
interface Install {
  folder: string;
  of: readonly Game[];
}

/** Folders with a game server's program or config, at most so many levels below the root. */
async function installsBelow(
  search: Search,
  { folder: root, depth }: Root,
  visited: Set<string>,
): Promise<Install[]> {
  const { join } = search.port.path;
  const installs: Install[] = [];
  let level = [root];
  for (let left = depth; left >= 0 && level.length > 0; left--) {
    const next: string[] = [];
    for (const folder of level) {
      const key = `${folder} ${left}`;
      if (visited.has(key)) continue;
      visited.add(key);
      const names = (await search.names(folder)) ?? [];
      const of = games.filter(({ servers }) => names.some(servers.isInstall));
      if (of.length > 0) installs.push({ folder, of });
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
