import type { FilePort } from 'game-files';
import { defaultQueryPort } from './facts/ports.ts';
import {
  type DayzServerConfig,
  defaultInstanceId,
  isServerConfig,
  maxServerConfigBytes,
  readServerConfig,
} from 'dayz-files';
import type { ComparedServer, ConfigFinding } from '../game.ts';

/** A serverDZ.cfg, under any name. */
interface FoundConfig {
  path: string;
  config: DayzServerConfig;
}

const usualName = /^serverDZ\.cfg$/i;
/** The folders above that of the logs that may have it: logs are in the profile folder, often below the game's. */
const levelsAboveLogs = 2;

/**
 * Finds the serverDZ.cfg of a server beside its files. Null: there is none, or several and it is unknown which one the
 * server uses.
 */
export async function findServerConfig(server: ComparedServer, port: FilePort): Promise<FoundConfig | null> {
  for (const folder of foldersOf(server, port)) {
    const entries = await port.list(folder, { matching: /\.cfg$/i, stat: 'all' }).catch(() => []);
    const found: FoundConfig[] = [];
    for (const { name, stat } of entries) {
      if (stat === null || stat.size > maxServerConfigBytes) continue;
      const path = port.path.join(folder, name);
      const config = await port.read(path, [{ offset: 0, length: stat.size }]).then(
        ({ parts }) => readServerConfig(parts[0] ?? Buffer.alloc(0)),
        () => null,
      );
      if (config !== null && isServerConfig(config)) found.push({ path, config });
    }
    const [only, ...others] = found;
    if (only === undefined) continue;
    if (others.length === 0) return only;
    const own = found.filter(({ config }) => fits(server, config, port));
    const usual = own.filter(({ path }) => usualName.test(port.path.basename(path)));
    return own.length === 1 ? (own[0] ?? null) : usual.length === 1 ? (usual[0] ?? null) : null;
  }
  return null;
}

/** The folders that may have it: above the mission, and that of the logs and above. */
function foldersOf({ logs, playersDb }: ComparedServer, { path }: FilePort): string[] {
  const folders: string[] = [];
  // <game>/mpmissions/<mission>/storage_<n>/players.db
  if (playersDb !== undefined) folders.push(path.join(path.dirname(playersDb), '..', '..', '..'));
  for (let level = 0, at = logs; at !== undefined && level <= levelsAboveLogs; level += 1) {
    folders.push(at);
    at = path.dirname(at) === at ? undefined : path.dirname(at);
  }
  return [...new Set(folders)];
}

/** Whether one of several configs is that of a server. */
function fits(
  { port, queryPort, playersDb }: ComparedServer,
  config: DayzServerConfig,
  files: FilePort,
): boolean {
  const instance = storageOf(playersDb, files);
  if (instance !== null) return (config.instanceId ?? defaultInstanceId) === instance;
  return queryPort === (config.steamQueryPort ?? defaultQueryPort(port));
}

/** The number in `storage_<n>`; null: the path has none. */
function storageOf(playersDb: string | undefined, { path }: FilePort): number | null {
  if (playersDb === undefined) return null;
  const found = /^storage_(\d+)$/.exec(path.basename(path.dirname(playersDb)))?.[1];
  return found === undefined ? null : Number(found);
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

/** Compares a server's serverDZ.cfg with the config. @param isAnswering whether the server answers the query */
export function checkServerConfig(
  server: ComparedServer,
  { path, config }: FoundConfig,
  isAnswering: boolean,
  files: FilePort,
): ConfigFinding[] {
  const { id } = server;
  const name = files.path.basename(path);
  const warn = (key: string, found: string, next: string): ConfigFinding => ({
    key: `${id}.${key}`,
    tried: path,
    status: 'warning',
    found,
    next,
  });
  const findings: ConfigFinding[] = [];
  const port = config.steamQueryPort ?? defaultQueryPort(server.port);
  const isOwnMachine = /^(?:127\.|::1$|localhost$)/.test(server.host);
  const isCertain = config.steamQueryPort !== null && isOwnMachine;
  // A router may pass another port on.
  if (server.queryPort !== undefined && server.queryPort !== port && (!isAnswering || isCertain)) {
    findings.push(
      warn(
        'queryPort',
        `the game answers queries on port ${port}${config.steamQueryPort === null ? ', its default' : ' (steamQueryPort)'}, not ${server.queryPort}`,
        `set queryPort: ${port}`,
      ),
    );
  }
  const storage = storageOf(server.playersDb, files);
  const instance = config.instanceId ?? defaultInstanceId;
  if (storage !== null && storage !== instance) {
    findings.push(
      warn(
        'playersDb',
        `instanceId is ${instance}, so the game writes storage_${instance}, not storage_${storage}`,
        `set playersDb to the players.db in storage_${instance}`,
      ),
    );
  }
  const mission = missionOf(server.playersDb, files);
  const template = config.missionTemplate;
  if (mission !== null && template !== null && mission.toLowerCase() !== template.toLowerCase()) {
    findings.push(
      warn(
        'playersDb',
        `the game runs the mission ${template}, not ${mission}`,
        `set playersDb to a path below mpmissions/${template}`,
      ),
    );
  }
  for (const { name: setting, wanted, lack } of server.logs === undefined ? [] : logSettings) {
    if ((config[setting] ?? 0) === wanted) continue;
    const line = config.lines.get(setting);
    const change =
      line === undefined
        ? `add ${setting} = ${wanted}; to ${name}, above "class Missions"`
        : `set ${setting} = ${wanted}; in line ${line} of ${name}`;
    findings.push(warn('logs', lack, `${change}, then restart the game server`));
  }
  const [problem] = config.problems;
  if (problem !== undefined) {
    const others = config.problems.length - 1;
    const more = others === 0 ? '' : ` (and ${others} more)`;
    const next = `correct ${name}, then restart the game server`;
    findings.push(warn('serverConfig', `line ${problem.line}: ${problem.problem}${more}`, next));
  }
  return findings.length > 0
    ? findings
    : [{ key: id, tried: path, status: 'good', found: 'agrees with the config' }];
}

/** The mission in `mpmissions/<mission>/storage_<n>/players.db`; null: the path has another form. */
function missionOf(playersDb: string | undefined, { path }: FilePort): string | null {
  if (playersDb === undefined) return null;
  const mission = path.dirname(path.dirname(playersDb));
  return path.basename(path.dirname(mission)).toLowerCase() === 'mpmissions' ? path.basename(mission) : null;
}
