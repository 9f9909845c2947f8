import type { FileAccess } from 'game-files';
import type { ServerConfig } from '../../config/schema.ts';
import { defaultQueryPort } from '../../server/games/dayz/facts/ports.ts';
import { about, type Finding } from '../checks/finding.ts';
import { limits } from '../limits.ts';
import { type FoundConfig, Search } from './find-server.ts';

/** What is compared of a server of Outpost's config. */
type Compared = Pick<ServerConfig, 'id' | 'host' | 'port' | 'queryPort' | 'logs' | 'playersDb'>;

/**
 * Finds the serverDZ.cfg of a server beside its files: of several the one with its query port, of copies the usual name. Null:
 * there is none.
 */
export async function findServerConfig(server: Compared, files: FileAccess): Promise<FoundConfig | null> {
  const { port, queryPort } = server;
  const search = new Search(files, limits.searchBeside);
  for (const folder of foldersOf(server, files)) {
    const found = await search.configs(folder);
    if (found.length === 0) continue;
    const own = found.filter(
      ({ config }) => found.length === 1 || (config.steamQueryPort ?? defaultQueryPort(port)) === queryPort,
    );
    const usual = own.find(({ file }) => /^serverDZ\.cfg$/i.test(files.path.basename(file)));
    return own.length === 1 ? (own[0] ?? null) : (usual ?? null);
  }
  return null;
}

/** The folders that may have it: above the mission, and that of the logs and above. */
function foldersOf({ logs, playersDb }: Compared, { path }: FileAccess): Set<string> {
  return new Set([
    // <game>/mpmissions/<mission>/storage_<n>/players.db
    ...(playersDb === undefined ? [] : [path.join(path.dirname(playersDb), '..', '..', '..')]),
    // Logs are in the profile folder, often below the game's.
    ...(logs === undefined ? [] : [logs, path.dirname(logs), path.dirname(path.dirname(logs))]),
  ]);
}

/** Settings of the game that keep lines out of the admin log, and what Outpost lacks then. */
const logSettings = [
  {
    name: 'adminLogPlayerHitsOnly',
    wanted: 0,
    lack: 'hits by infected and animals are not logged, so the causes of some deaths stay unknown',
  },
  {
    name: 'adminLogPlayerList',
    wanted: 1,
    lack: 'the list of players is not logged, so nothing corrects who is shown as online',
  },
] as const;

export function checkServerConfig(
  server: Compared,
  { file, config }: FoundConfig,
  files: FileAccess,
): Finding[] {
  const name = files.path.basename(file);
  const findings: Finding[] = [];
  const warn = (key: string, found: string, next: string): void =>
    void findings.push(about(`${server.id}.${key}`, file).warning(found, next));

  const { steamQueryPort } = config;
  // Elsewhere a router may pass another port on.
  const isOwnMachine = /^(?:127\.|::1$|localhost$)/.test(server.host);
  if (isOwnMachine && server.queryPort !== undefined && ![null, server.queryPort].includes(steamQueryPort))
    warn(
      'queryPort',
      `the game answers queries on port ${steamQueryPort} (steamQueryPort), not ${server.queryPort}`,
      `set queryPort: ${steamQueryPort}`,
    );

  for (const { name: setting, wanted, lack } of server.logs === undefined ? [] : logSettings) {
    if ((config[setting] ?? 0) === wanted) continue;
    const line = config.lines.get(setting);
    const change =
      line === undefined
        ? `add ${setting} = ${wanted}; to ${name}, above "class Missions"`
        : `set ${setting} = ${wanted}; in line ${line} of ${name}`;
    warn('logs', lack, `${change}, then restart the game server`);
  }

  return findings.length > 0 ? findings : [about(server.id, file).good('agrees with the config')];
}
