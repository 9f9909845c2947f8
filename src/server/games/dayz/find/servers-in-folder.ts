import { defaultGamePort } from '../facts/ports.ts';
import {
  adminLog,
  type DayzServerConfig,
  defaultInstanceId,
  isMissionName,
  serverConsole,
  serverReport,
} from 'dayz-files';
import type { FoundBanFile, FoundServer, FoundServers } from '../../game.ts';
import type { Search } from '../../search.ts';
import { type FoundLaunch, survey, type Survey } from './survey.ts';

/** The servers whose files are in a folder. @param isOneServers see `findServers` of `game.ts` */
export async function findServers(
  search: Search,
  root: string,
  isOneServers: boolean,
): Promise<FoundServers> {
  const found = await survey(search, root);
  return { servers: await serversIn(search, found, isOneServers), logFolders: found.logFolders };
}

async function serversIn(search: Search, found: Survey, isOneServers: boolean): Promise<FoundServer[]> {
  const own = ownFolders(search, found);
  if (own.length > 0) {
    const servers = own.map((folder) => serversOf(search, partOf(search, found, folder, own.length > 1)));
    return (await Promise.all(servers)).flat();
  }
  const folder = isOneServers && found.logFolders.length > 0 ? found.root : folderOfLogs(search, found);
  if (folder === null) return [];
  const none = { file: null, config: null, launch: found.launches[0] ?? null };
  return [await serverOf(search, partOf(search, found, folder, false), none, true)];
}

/** The servers whose configs lie in one folder. */
async function serversOf(search: Search, found: Survey): Promise<FoundServer[]> {
  const started = new Map<string, Survey['configs'][number] & { launch: FoundLaunch }>();
  for (const launch of found.launches) {
    const config = configOf(search, found, launch);
    if (config !== null && !started.has(config.file)) started.set(config.file, { ...config, launch });
  }
  const all = started.size > 0 ? [...started.values()] : withoutCopies(found.configs);
  const isAlone = all.length === 1;
  return await Promise.all(all.map((one) => serverOf(search, found, { launch: null, ...one }, isAlone)));
}

/**
 * The folders of the servers: those with a config, but for folders in them. A folder that holds only configs, as
 * LinuxGSM's, belongs to the one above it.
 */
function ownFolders(search: Search, { root, configs }: Survey): string[] {
  const { dirname, basename } = search.port.path;
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
  const { dirname } = search.port.path;
  const outer = logFolders.filter(
    (folder) => !logFolders.some((other) => other !== folder && search.isIn(other, folder)),
  );
  const [only] = outer;
  if (only === undefined || outer.length > 1) return null;
  return search.isSame(only, root) ? root : dirname(only);
}

/** Owners keep copies of the file beside it. Of equal ones the file with the usual name counts. */
function withoutCopies(configs: Survey['configs']): Survey['configs'] {
  const usualFirst = configs.toSorted((a, b) => Number(isUsual(b.file)) - Number(isUsual(a.file)));
  const byServer = new Map<string, Survey['configs'][number]>();
  for (const one of usualFirst) {
    const { instanceId, steamQueryPort, missionTemplate } = one.config;
    const key = JSON.stringify([instanceId, steamQueryPort, missionTemplate]);
    if (!byServer.has(key)) byServer.set(key, one);
  }
  return [...byServer.values()];
}

const isUsual = (file: string): boolean => baseName(file) === 'serverdz.cfg';

/** The config with which a launch starts the server. */
function configOf(
  search: Search,
  { configs }: Survey,
  launch: FoundLaunch,
): Survey['configs'][number] | null {
  if (launch.config === null) return null;
  const named = search.resolve(launch.folder, launch.config);
  const exact = configs.find(({ file }) => search.isSame(file, named));
  if (exact !== undefined) return exact;
  // A script may name a path of the machine that it was written for, such as the one in a container.
  const name = baseName(launch.config);
  return configs.find(({ file }) => baseName(file) === name) ?? null;
}

const baseName = (file: string): string => (/[^\\/]+$/.exec(file)?.[0] ?? '').toLowerCase();

async function serverOf(
  search: Search,
  found: Survey,
  {
    file,
    config,
    launch,
  }: { file: string | null; config: DayzServerConfig | null; launch: FoundLaunch | null },
  isAlone: boolean,
): Promise<FoundServer> {
  const { path } = search.port;
  const at = (given: string | null): string | null =>
    given === null ? null : search.resolve(launch?.folder ?? found.root, given);
  const profiles = await existing(search, at(launch?.profiles ?? null), found.logFolders);
  // Of several servers in one folder, nothing says whose logs are in which folder.
  const logs = profiles ?? (isAlone ? await newestLogs(search, found.logFolders) : null);
  const mission = await missionOf(search, found, at(launch?.mission ?? null), config);
  const storage = mission && path.join(mission, `storage_${config?.instanceId ?? defaultInstanceId}`);
  const battleye = at(launch?.battleye ?? null);
  const near = [profiles, battleye].filter((folder) => folder !== null);
  const isOwn = ({ file: banFile }: FoundBanFile): boolean =>
    isAlone || near.some((folder) => search.isIn(folder, banFile));
  // The file as it comes with the game names no server.
  const hostname = config?.hostname === 'EXAMPLE NAME' ? null : config?.hostname;
  return {
    name: hostname || path.basename(found.root).replace(/^\.+$/, '') || 'DayZ server',
    isNamed: Boolean(hostname),
    root: found.root,
    configFile: file,
    gamePort: launch?.port ?? defaultGamePort,
    queryPort: config?.steamQueryPort ?? null,
    logs,
    playersDb: await firstThere(
      search,
      // Some keep a copy beside the logs.
      [storage, logs].flatMap((folder) => (folder === null ? [] : [path.join(folder, 'players.db')])),
    ),
    messagesFile: mission && (await firstThere(search, [path.join(mission, 'db', 'messages.xml')])),
    banFiles: found.banFiles.filter(isOwn),
    denied: search.denied.filter((one) => search.isIn(found.root, one)),
    advice: [...listAdvice(file, config), ...(await identityAdvice(search, logs))],
    problems: config?.problems ?? [],
  };
}

/** The line that makes the game log who is on. */
function listAdvice(file: string | null, config: DayzServerConfig | null): string[] {
  if (file === null || config === null || config.adminLogPlayerList === 1) return [];
  const line = config.lines.get('adminLogPlayerList');
  const where =
    line === undefined ? `into ${file}, above "class Missions"` : `in place of line ${line} of ${file}`;
  return [
    `Nothing corrects who is shown as online, because the game does not log the list of players. Put this ${where}, and restart the game server:\n    adminLogPlayerList = 1;`,
  ];
}

/** What makes the game write the logs with SteamID64s, where there are none. */
async function identityAdvice(search: Search, logs: string | null): Promise<string[]> {
  const names = logs === null ? null : await search.names(logs);
  if (names === null) return [];
  const isKnown = names.some(
    (name) =>
      serverReport.fileName.test(name) ||
      serverConsole.fileName.test(name) ||
      adminLog.withoutSteamIds?.test(name) === true,
  );
  if (isKnown) return [];
  return [
    `Few players have a SteamID64, because ${logs} has no .RPT files. Keep them there, and add this to the start parameters of the game server:\n    -dologs`,
  ];
}

/** The profile folder that the launch names; on another machine its path may be another one. */
async function existing(
  search: Search,
  folder: string | null,
  logFolders: readonly string[],
): Promise<string | null> {
  if (folder === null) return null;
  const known = logFolders.find((one) => search.isSame(one, folder));
  if (known !== undefined) return known;
  if ((await search.names(folder)) !== null) return folder;
  return logFolders.find((one) => baseName(one) === baseName(folder)) ?? null;
}

async function newestLogs(search: Search, folders: readonly string[]): Promise<string | null> {
  const [only] = folders;
  if (only === undefined || folders.length === 1) return only ?? null;
  const dated = await Promise.all(
    folders.map(async (folder) => {
      const logs = ((await search.names(folder)) ?? []).filter((name) => /\.adm$/i.test(name));
      const stats = await Promise.all(
        logs.slice(-5).map((name) => search.stat(search.port.path.join(folder, name))),
      );
      return { folder, changedAt: Math.max(0, ...stats.map((stat) => stat?.changedAt ?? 0)) };
    }),
  );
  return dated.reduce((newest, one) => (one.changedAt > newest.changedAt ? one : newest)).folder;
}

async function missionOf(
  search: Search,
  { missionFolders }: Survey,
  given: string | null,
  config: DayzServerConfig | null,
): Promise<string | null> {
  if (given !== null && (await search.names(given)) !== null) return given;
  for (const folder of missionFolders) {
    const missions = ((await search.names(folder)) ?? []).filter(isMissionName);
    const template = config?.missionTemplate?.toLowerCase();
    const isOnly = template === undefined && missions.length === 1;
    const name = isOnly ? missions[0] : missions.find((one) => one.toLowerCase() === template);
    if (name !== undefined) return search.port.path.join(folder, name);
  }
  return null;
}

async function firstThere(search: Search, files: readonly string[]): Promise<string | null> {
  for (const file of files) if ((await search.stat(file)) !== null) return file;
  return null;
}
