import nativePath from 'node:path';
import type { ServerFinder } from '../../../server/games/game.ts';
import { games } from '../../../server/games/index.ts';

/** A folder to search for game servers. */
export interface Root {
  folder: string;
  /** How many levels below it may be searched; 0: only the folder itself. */
  depth: number;
}

export interface Machine {
  platform: NodeJS.Platform;
  /** The home folder of the user. */
  home: string;
  /** The folder in which the command runs. */
  current: string;
  variables: Readonly<Record<string, string | undefined>>;
}

/** The names of folders in which owners keep servers of any game that can be found. */
const namesOf = (kind: 'steam' | 'windows' | 'home'): string[] =>
  games.flatMap(({ servers }) => servers.folders[kind]);

/** Where owners keep game servers, most likely first. @param libraries folders of Steam libraries */
export function usualFolders(machine: Machine, libraries: readonly string[]): Root[] {
  const { platform, home, current, variables } = machine;
  const path = platform === 'win32' ? nativePath.win32 : nativePath.posix;
  const steam = libraries.flatMap((library) =>
    namesOf('steam').map((name) => ({ folder: path.join(library, 'steamapps', 'common', name), depth: 0 })),
  );
  const around = [
    { folder: current, depth: 1 },
    { folder: path.dirname(current), depth: 1 },
  ];
  if (platform === 'win32') {
    const drives = [...new Set([variables['SystemDrive'] ?? 'C:', 'C:', 'D:', 'E:'])];
    const ofGames = namesOf('windows');
    const named = [...ofGames, 'SteamCMD', 'Servers', 'GameServers', 'WindowsGSM'];
    const desktop = path.join(home, 'Desktop');
    return [
      ...steam,
      ...[...drives.map((drive) => `${drive}\\`), desktop].flatMap((parent) =>
        named.map((name) => ({
          folder: path.join(parent, name),
          depth: ofGames.includes(name) ? 2 : 4,
        })),
      ),
      ...games.flatMap(({ servers }) =>
        servers.folders.windows.slice(0, 1).map((name) => ({ folder: path.join(home, name), depth: 2 })),
      ),
      { folder: desktop, depth: 2 },
      { folder: path.join(home, 'Documents'), depth: 2 },
      ...around,
      ...drives.map((drive) => ({ folder: `${drive}\\`, depth: 1 })),
    ];
  }
  return [
    ...steam,
    ...[...namesOf('home'), 'servers', 'steamcmd', 'Steam'].map((name) => ({
      folder: path.join(home, name),
      depth: 3,
    })),
    ...around,
    { folder: home, depth: 2 },
    { folder: '/home', depth: 3 },
    { folder: '/srv', depth: 3 },
    { folder: '/opt', depth: 3 },
    { folder: '/var/lib/pterodactyl/volumes', depth: 1 },
    { folder: '/mnt', depth: 3 },
  ];
}

/** Where the server in a folder writes its logs when it was started without a folder for them. */
export function usualLogFolder(
  { folders }: ServerFinder,
  { platform, home, variables }: Machine,
  root: string,
): string {
  // It may run as another user than the command, which needs sudo then.
  const [own = home] = /^\/home\/[^/]+/.exec(root) ?? [];
  if (platform !== 'win32') return nativePath.posix.join(own, '.local', 'share', folders.logs);
  const { join } = nativePath.win32;
  return join(variables['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), folders.logs);
}

/** Where Steam itself is installed. */
export function steamFolders({ platform, home, variables }: Machine): string[] {
  if (platform === 'win32') {
    const programs = [variables['ProgramFiles(x86)'], variables['ProgramFiles'], 'C:\\Program Files (x86)'];
    const known = programs.filter((folder) => folder !== undefined && folder !== '') as string[];
    const all = [
      ...known.map((folder) => nativePath.win32.join(folder, 'Steam')),
      'C:\\SteamCMD',
      'C:\\Steam',
      'D:\\SteamLibrary',
    ];
    return [...new Set(all)];
  }
  return ['.steam/steam', '.local/share/Steam', 'Steam', 'steamcmd'].map((name) =>
    nativePath.posix.join(home, name),
  );
}

/** The libraries that Steam's `libraryfolders.vdf` names. */
export function readLibraries(vdf: string): string[] {
  return Array.from(vdf.matchAll(/"path"\s+"([^"\n]{1,1000})"/g), ([, folder]) =>
    (folder as string).replaceAll('\\\\', '\\'),
  ).slice(0, 20);
}
