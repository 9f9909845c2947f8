import { type DayzServerConfig, defaultInstanceId, isMissionName } from 'dayz-files';
import { defaultGamePort } from '../../server/games/dayz/facts/ports.ts';
import type { Search } from './search.ts';
import { type FoundBanFile, type FoundConfig, type FoundLaunch, survey, type Survey } from './survey.ts';

/** A game server and its files, as they were found. Null: there is none. */
export interface FoundServer {
  name: string;
  /** False: the name is made of that of the folder. */
  isNamed: boolean;
  /** The folder that was searched; null: it was not, only the address is known. */
  root: string | null;
  configFile: string | null;
  gamePort: number;
  queryPort: number | null;
  logs: string | null;
  playersDb: string | null;
  messagesFile: string | null;
  banFiles: readonly FoundBanFile[];
  /** What in its folder this user may not read. */
  denied: readonly string[];
}

/**
 * The servers whose files are in a folder and those below it, and the folders that hold logs.
 * @param isOneServers the folder is one server's, as at a host; else logs without a config may belong to several
 */
export async function findServers(
  search: Search,
  root: string,
  isOneServers: boolean,
): Promise<{ servers: FoundServer[]; logFolders: string[] }> {
  const found = await survey(search, root);
  const { logFolders, launches } = found;
  const own = ownFolders(search, found);
  const logsOf = isOneServers && logFolders.length > 0 ? root : folderOfLogs(search, found);
  let servers: FoundServer[] = [];
  if (own.length > 0) {
    const parts = own.map((folder) => partOf(search, found, folder, own.length > 1));
    servers = (await Promise.all(parts.map((part) => serversOf(search, part)))).flat();
  } else if (logsOf !== null) {
    const start = { file: null, config: null, launch: launches[0] ?? null };
    servers = [await serverOf(search, partOf(search, found, logsOf, false), start, true)];
  }
  return { servers, logFolders };
}

/** How a server is started: its config, and the script that names it. */
interface Start {
  file: string | null;
  config: DayzServerConfig | null;
  launch: FoundLaunch | null;
}

/** The servers whose configs lie in one folder. */
async function serversOf(search: Search, found: Survey): Promise<FoundServer[]> {
  const started = new Map<string, Start>();
  for (const launch of found.launches) {
    const config = configOf(search, found, launch);
    if (config !== null && !started.has(config.file)) started.set(config.file, { ...config, launch });
  }
  const starts: Start[] =
    started.size > 0
      ? [...started.values()]
      : withoutCopies(found.configs).map((one) => ({ ...one, launch: null }));
  return await Promise.all(starts.map((start) => serverOf(search, found, start, starts.length === 1)));
}

/**
 * The folders of the servers: those with a config, but for folders in them. A folder that holds only configs, as
 * LinuxGSM's, belongs to the one above it.
 */
function ownFolders(search: Search, { root, configs }: Survey): string[] {
  const { dirname, basename } = search.files.path;
  const folders = configs.map(({ file }) => {
    const folder = dirname(file);
    const isOfConfigs = /^(?:cfg|configs?)$/i.test(basename(folder));
    return isOfConfigs && search.isIn(root, dirname(folder)) ? dirname(folder) : folder;
  });
  const isInner = (folder: string): boolean =>
    folders.some((other) => !search.isSame(other, folder) && search.isIn(other, folder));
  return [...new Set(folders)].filter((folder) => !isInner(folder));
}

/** What of a survey belongs to the servers of one folder. @param hasOthers there are servers in other folders */
function partOf(search: Search, found: Survey, own: string, hasOthers: boolean): Survey {
  const isOwn = (path: string): boolean => search.isIn(own, path);
  const isOwnScript = ({ folder, config }: FoundLaunch): boolean => {
    if (isOwn(folder) || (!hasOthers && search.isIn(folder, own))) return true;
    return config !== null && isOwn(search.resolve(folder, config));
  };
  return {
    root: own,
    configs: found.configs.filter(({ file }) => isOwn(file)),
    logFolders: found.logFolders.filter(isOwn),
    missionFolders: found.missionFolders.filter(isOwn),
    banFiles: found.banFiles.filter(({ file }) => isOwn(file)),
    launches: found.launches.filter(isOwnScript),
  };
}

/** The folder of a server without a config: that above its logs. Null: there are none, or those of several servers. */
function folderOfLogs(search: Search, { root, logFolders }: Survey): string | null {
  const outer = logFolders.filter(
    (folder) => !logFolders.some((other) => other !== folder && search.isIn(other, folder)),
  );
  const [only] = outer;
  if (only === undefined || outer.length > 1) return null;
  return search.isSame(only, root) ? root : search.files.path.dirname(only);
}

/** Owners keep copies of the file beside it, so the one with the usual name counts; else all do. */
function withoutCopies(configs: readonly FoundConfig[]): readonly FoundConfig[] {
  const usual = configs.find(({ file }) => /(?:^|[\\/])serverDZ\.cfg$/i.test(file));
  return usual === undefined ? configs : [usual];
}

/** The config with which a launch starts the server. */
function configOf(search: Search, { configs }: Survey, { folder, config }: FoundLaunch): FoundConfig | null {
  if (config === null) return null;
  const named = search.resolve(folder, config);
  return configs.find(({ file }) => search.isSame(file, named)) ?? null;
}

/** @param isAlone there is no other server in the folder */
async function serverOf(
  search: Search,
  found: Survey,
  { file, config, launch }: Start,
  isAlone: boolean,
): Promise<FoundServer> {
  const { root, logFolders, banFiles } = found;
  const { path } = search.files;
  const named = (given: string | null | undefined): string | null =>
    given == null ? null : search.resolve(launch?.folder ?? root, given);
  // The script may be that of another machine, whose paths are others.
  const started = named(launch?.profiles);
  const profiles = started !== null && (await search.names(started)) !== null ? started : null;
  // Of several servers in one folder, nothing says whose logs are in which folder.
  const logs = profiles ?? (isAlone ? await newestLogs(search, logFolders) : null);
  const mission = await missionOf(search, found, named(launch?.mission), config);
  const storage = mission && path.join(mission, `storage_${config?.instanceId ?? defaultInstanceId}`);
  const ownFolders = [profiles, named(launch?.battleye)].filter((folder) => folder !== null);
  // The file as it comes with the game names no server.
  const hostname = config?.hostname === 'EXAMPLE NAME' ? null : config?.hostname;
  return {
    name: hostname || path.basename(root).replace(/^\.+$/, '') || 'DayZ server',
    isNamed: Boolean(hostname),
    root,
    configFile: file,
    gamePort: launch?.port ?? defaultGamePort,
    queryPort: config?.steamQueryPort ?? null,
    logs,
    // Some keep a copy beside the logs.
    playersDb: await firstThere(search, [storage, logs], 'players.db'),
    messagesFile: await firstThere(search, [mission && path.join(mission, 'db')], 'messages.xml'),
    banFiles: banFiles.filter((one) => isAlone || ownFolders.some((folder) => search.isIn(folder, one.file))),
    denied: search.denied.filter((one) => search.isIn(root, one)),
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

/** The folder of the mission that the server plays. @param given by its launch */
async function missionOf(
  search: Search,
  { missionFolders }: Survey,
  given: string | null,
  config: DayzServerConfig | null,
): Promise<string | null> {
  if (given !== null && (await search.names(given)) !== null) return given;
  const template = config?.missionTemplate?.toLowerCase();
  for (const folder of missionFolders) {
    const missions = ((await search.names(folder)) ?? []).filter(isMissionName);
    const isOnly = template === undefined && missions.length === 1;
    const name = isOnly ? missions[0] : missions.find((one) => one.toLowerCase() === template);
    if (name !== undefined) return search.files.path.join(folder, name);
  }
  return null;
}

/** The first of these folders that has a file. */
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
