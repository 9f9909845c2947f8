import {
  type DayzServerConfig,
  defaultInstanceId,
  isMissionName,
  isServerConfig,
  maxServerConfigBytes,
  readServerConfig,
} from 'dayz-files';
import type { FileAccess, FileStat } from 'game-files';
import { fileErrorCode } from '../../server/files/errors.ts';
import { dayz } from '../../server/games/dayz/facts/index.ts';

/** A serverDZ.cfg, under any name. */
export interface FoundConfig {
  file: string;
  config: DayzServerConfig;
}

/** The files of a game server, as they were found. Null: there is none. */
export interface FoundFiles {
  name: string;
  /** False: the name is made of that of the folder. */
  isNamed: boolean;
  /** The folder of the server; null: nothing was searched, only the address is known. */
  root: string | null;
  configFile: string | null;
  queryPort: number | null;
  logs: string | null;
  playersDb: string | null;
  messagesFile: string | null;
  /** Formats as in the config. */
  banFiles: readonly { file: string; format: string }[];
  /** What in its folder this user may not read. */
  denied: readonly string[];
}

/**
 * Reads folders and files within limits. What cannot be read counts as missing: a search passes many folders that it may not
 * enter.
 */
export class Search {
  readonly files: FileAccess;
  /** What this user may not read. */
  readonly denied: string[] = [];
  #foldersLeft: number;
  readonly #endsAt: number;
  readonly #listed = new Map<string, Promise<string[] | null>>();

  /** @param limits of the folders that are listed, and of the time in which it lists and reads */
  constructor(files: FileAccess, limits: { folders: number; deadlineMs: number }) {
    this.files = files;
    this.#foldersLeft = limits.folders;
    this.#endsAt = performance.now() + limits.deadlineMs;
  }

  /** The names in a folder, which is listed once; null: it cannot be listed. */
  async names(folder: string): Promise<string[] | null> {
    let names = this.#listed.get(folder);
    if (names === undefined) {
      if (this.#foldersLeft-- <= 0) return null;
      names = this.#attempt(folder, async () => {
        const entries = await this.files.list(folder, { matching: /^/, stat: [] });
        // The config takes no path with a control character, and a terminal might obey one.
        return entries.flatMap(({ name }) => (/\p{Cc}/u.test(name) ? [] : [name])).toSorted();
      });
      this.#listed.set(folder, names);
    }
    return await names;
  }

  async configs(folder: string): Promise<FoundConfig[]> {
    const found: FoundConfig[] = [];
    for (const name of (await this.names(folder)) ?? []) {
      if (!/\.cfg$/i.test(name)) continue;
      const file = this.files.path.join(folder, name);
      const range = { offset: 0, length: maxServerConfigBytes };
      const read = await this.#attempt(file, async () => await this.files.read(file, [range]));
      const config = readServerConfig(read?.parts[0] ?? Buffer.alloc(0));
      if (isServerConfig(config)) found.push({ file, config });
    }
    return found;
  }

  async stat(file: string): Promise<FileStat | null> {
    return await this.#attempt(file, async () => await this.files.stat(file));
  }

  /** Whether a path is in a folder, at any depth, or is the folder itself. */
  isIn(folder: string, path: string): boolean {
    const relative = this.files.path.relative(folder, path);
    // On Windows, the path from one drive to another is absolute.
    return !relative.startsWith('..') && !this.files.path.isAbsolute(relative);
  }

  async #attempt<T>(path: string, work: () => Promise<T>): Promise<T | null> {
    if (performance.now() > this.#endsAt) return null;
    try {
      return await work();
    } catch (error) {
      const isDenied = /^E(?:ACCES|PERM)$/.test(fileErrorCode(error) ?? '');
      if (isDenied && !this.denied.includes(path)) this.denied.push(path);
      return null;
    }
  }
}

/**
 * Finds the server in a folder and those below it: by its config, else by its logs.
 * @param named its config, where the owner named one
 * @returns `choices`: there are several such configs, or without any, folders of logs. The first config is taken then
 */
export async function findServer(
  search: Search,
  root: string,
  named?: string,
): Promise<{ server: FoundFiles | null; choices: string[] }> {
  const found = await survey(search, root);
  const { path } = search.files;
  // Owners keep copies of the config beside it, so those with the usual name count; else all do.
  const usual = found.configs.filter(({ file }) => /(?:^|[\\/])serverDZ\.cfg$/i.test(file));
  const configs = usual.length > 0 ? usual : found.configs;
  const wanted = found.configs.find(({ file }) => file === named);
  const chosen = wanted ?? configs[0];
  if (chosen !== undefined) {
    const folder = path.dirname(chosen.file);
    // Configs lie in a folder of their own in some installations, as in LinuxGSM's.
    const isOfConfigs = /^(?:cfg|configs?)$/i.test(path.basename(folder));
    const own = isOfConfigs && search.isIn(root, path.dirname(folder)) ? path.dirname(folder) : folder;
    // Of several servers in one folder, nothing says whose logs are in which folder.
    const isAlone = configs.filter(({ file }) => path.dirname(file) === folder).length <= 1;
    const server = await serverOf(search, found, own, chosen, isAlone);
    const isOpen = wanted === undefined && configs.length > 1;
    return { server, choices: isOpen ? configs.map(({ file }) => file) : [] };
  }
  const outer = found.logFolders.filter(
    (folder) => !found.logFolders.some((other) => other !== folder && search.isIn(other, folder)),
  );
  const [logs] = outer;
  if (logs === undefined) return { server: null, choices: [] };
  const own = outer.length > 1 || path.relative(root, logs) === '' ? root : path.dirname(logs);
  return { server: await serverOf(search, found, own, null, true), choices: outer.length > 1 ? outer : [] };
}

/** What lies in a folder and below it. */
interface Survey {
  configs: FoundConfig[];
  /** Folders of `.ADM` files. */
  logFolders: string[];
  /** Folders whose folders are missions: `mpmissions`. */
  missionFolders: string[];
  banFiles: { file: string; format: string }[];
}

const depth = 4;
/** Of the game and its tools, large, and without anything that is searched for. */
const uninteresting =
  /^(?:\..*|@.*|addons|bliss|dta|keys|dlc|steamapps|steamcmd|node_modules|docs|dump|mods|workshop|lib|lib64|linux(?:32|64)|DayZServer(?:_x64)?)$/i;
/** A mission's folder holds thousands of files, and its name has a dot like a file's. */
const isMissionFolder = (name: string): boolean => /^mpmissions$|_missions$/i.test(name);
const isFileName = (name: string): boolean => /\.[A-Za-z0-9]{1,10}$/.test(name);
const banFormats = new Map<string, string>(
  dayz.banFiles.map(({ file, format }) => [file.toLowerCase(), format]),
);

async function survey(search: Search, root: string): Promise<Survey> {
  const found: Survey = { configs: [], logFolders: [], missionFolders: [], banFiles: [] };
  /** With what the folders above hold: a link may lead to one of them. */
  let level = [{ folder: root, above: [] as string[] }];
  for (let left = depth; left > 0; left--) {
    const next: typeof level = [];
    for (const { folder, above } of level) {
      const names = (await search.names(folder)) ?? [];
      const contents = names.join('/');
      if (above.includes(contents)) continue;
      found.configs.push(...(await search.configs(folder)));
      if (names.some((name) => /\.adm$/i.test(name))) found.logFolders.push(folder);
      for (const name of names) {
        const path = search.files.path.join(folder, name);
        const format = banFormats.get(name.toLowerCase());
        if (format !== undefined) found.banFiles.push({ file: path, format });
        else if (isMissionFolder(name)) found.missionFolders.push(path);
        else if (!isFileName(name) && !uninteresting.test(name))
          next.push({ folder: path, above: [...above, contents] });
      }
    }
    level = next;
  }
  return found;
}

/** @param isAlone there is no other server in its folder */
async function serverOf(
  search: Search,
  { logFolders, missionFolders, banFiles }: Survey,
  root: string,
  chosen: FoundConfig | null,
  isAlone: boolean,
): Promise<FoundFiles> {
  const { path } = search.files;
  const own = (folders: readonly string[]) => folders.filter((folder) => search.isIn(root, folder));
  const config = chosen?.config;
  const logs = isAlone ? await newestLogs(search, own(logFolders)) : null;
  const mission = await missionOf(search, own(missionFolders), config?.missionTemplate ?? null);
  const storage = mission && path.join(mission, `storage_${config?.instanceId ?? defaultInstanceId}`);
  // The file as it comes with the game names no server.
  const hostname = config?.hostname === 'EXAMPLE NAME' ? null : config?.hostname;
  return {
    name: hostname || path.basename(root).replace(/^\.+$/, '') || 'DayZ server',
    isNamed: Boolean(hostname),
    root,
    configFile: chosen?.file ?? null,
    queryPort: config?.steamQueryPort ?? null,
    logs,
    // Some keep a copy beside the logs.
    playersDb: await firstThere(search, [storage, logs], 'players.db'),
    messagesFile: await firstThere(search, [mission && path.join(mission, 'db')], 'messages.xml'),
    banFiles: isAlone ? banFiles.filter(({ file }) => search.isIn(root, file)) : [],
    denied: own(search.denied),
  };
}

async function newestLogs(search: Search, folders: readonly string[]): Promise<string | null> {
  if (folders.length <= 1) return folders[0] ?? null;
  const dated = folders.map(async (folder) => {
    const logs = ((await search.names(folder)) ?? []).filter((name) => /\.adm$/i.test(name));
    const files = logs.slice(-5).map((name) => search.files.path.join(folder, name));
    const stats = await Promise.all(files.map((file) => search.stat(file)));
    return { folder, changedAt: Math.max(0, ...stats.map((stat) => stat?.changedAt ?? 0)) };
  });
  return (await Promise.all(dated)).reduce((a, b) => (b.changedAt > a.changedAt ? b : a)).folder;
}

/** The folder of the mission that the config names; without a config, of the only one that is there. */
async function missionOf(
  search: Search,
  missionFolders: readonly string[],
  template: string | null,
): Promise<string | null> {
  for (const folder of missionFolders) {
    const missions = ((await search.names(folder)) ?? []).filter(isMissionName);
    const isOnly = template === null && missions.length === 1;
    const name = isOnly ? missions[0] : missions.find((one) => one.toLowerCase() === template?.toLowerCase());
    if (name !== undefined) return search.files.path.join(folder, name);
  }
  return null;
}

async function firstThere(
  search: Search,
  folders: readonly (string | null)[],
  name: string,
): Promise<string | null> {
  for (const folder of folders) {
    const file = folder === null ? null : search.files.path.join(folder, name);
    if (file !== null && (await search.stat(file)) !== null) return file;
  }
  return null;
}
