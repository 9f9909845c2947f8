import type { Environment } from '../../config/environment.ts';
import type { BanlistConfig, Config, ServerConfig } from '../../config/schema.ts';
import { gameOf } from '../../server/games/index.ts';
import { offZoneRemedy } from '../../server/ingest/logs/off-zone-logs.ts';
import { activeSources, type Sources } from '../../server/ingest/follower/sources.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import { type HostTrust, trustInMemory } from '../../server/files/remote/host-trust.ts';
import type { SourceFiles } from '../../server/files/remote/source-files.ts';
import type { Finding } from '../check-config/finding.ts';
import { checkServer } from '../check-config/server-checks.ts';
import { checkBanFiles } from '../check-config/source-checks.ts';
import { FollowedSources } from '../followed-sources.ts';
import { withKnownHosts } from '../known-hosts.ts';
import { withSourceFiles } from '../source-files.ts';
import type { DataInspection } from './data-process.ts';
import type { Machine } from './machine.ts';
import { checkLogLife } from './log-life-checks.ts';
import { readLogLife } from './log-life.ts';
import type { Check } from './run-checks.ts';
import { checkMissingLines, checkReadPosition } from './stored-checks.ts';

/** A provider that is polled this seldom limits requests. */
const seldomMs = 60_000;

export interface FileCheckOptions {
  config: Config;
  environment: Environment;
  machine: Machine;
  inspection: DataInspection;
}

/** Runs the checks of game servers and their files, which need connections to the places with the files. */
export async function withFileChecks<T>(
  { config, environment, machine, inspection }: FileCheckOptions,
  work: (checks: Check[]) => Promise<T>,
): Promise<T> {
  const servers = config.projects.flatMap((project) => project.servers).filter(({ active }) => active);
  const banlists = config.projects.flatMap((project) => project.banlists).filter(({ active }) => active);
  const sources = activeSources(config);
  const followed = await readFollowed(environment, sources, inspection);
  const withFiles = async (trust: HostTrust): Promise<T> =>
    await withSourceFiles(sources, trust, async (files) => {
      const listed = banlists.map((banlist) => banFileCheck(banlist, files, followed));
      return await work([
        ...servers.flatMap((one) =>
          checksOf(one, { files, trust, followed }, { environment, machine, inspection }),
        ),
        ...listed,
      ]);
    });
  return await withTrust(servers, environment, inspection, withFiles);
}

/** A store that does not answer or cannot be read has a check of its own. */
async function readFollowed(
  environment: Environment,
  sources: Sources,
  { holder }: DataInspection,
): Promise<FollowedSources> {
  if ((sources.places?.size ?? 0) === 0 || (await holder) === undefined) return new FollowedSources([]);
  return await FollowedSources.read(environment, sources).catch(() => new FollowedSources([]));
}

/** How to get at the files of servers. */
interface Access {
  files: SourceFiles;
  trust: HostTrust;
  followed: FollowedSources;
}

/** Takes the keys of hosts from the store where there are hosts, and a store that can be read. */
async function withTrust<T>(
  servers: readonly ServerConfig[],
  environment: Environment,
  { holder }: DataInspection,
  work: (trust: HostTrust) => Promise<T>,
): Promise<T> {
  const isRemote = servers.some(({ files }) => files !== undefined);
  if (!isRemote || (await holder) === undefined) return await work(trustInMemory());
  let isOpen = false;
  try {
    return await withKnownHosts(environment, async (trust) => {
      isOpen = true;
      return await work(trust);
    });
  } catch (error) {
    if (isOpen) throw error;
    // The store cannot be opened, which its own check reports.
    return await work(trustInMemory());
  }
}

function checksOf(
  server: ServerConfig,
  { files, trust, followed }: Access,
  around: Omit<FileCheckOptions, 'config'>,
): Check[] {
  const { id } = server;
  /** Nobody else may log in where a running service has. */
  const isFollowed = followed.at(server) !== null;
  const query = once(async () => {
    // Loaded on demand, because the query library takes long to load.
    const { checkPort } = await import('../check-config/port-checks.ts');
    return await checkPort(server);
  });
  const paths = once(async () => await checkServer(server, files, trust, followed));
  const isUntouched = once(async () => !isFollowed && (await isNeverStarted(server, files, query, paths)));
  const check = (subject: string, run: Check['run']): Check => ({
    group: 'servers',
    subject: `${subject} of ${id}`,
    run,
  });
  return [
    check('query', async () => {
      const { checkQueryKeys } = await import('../check-config/port-checks.ts');
      const { finding } = await query();
      return [...checkQueryKeys(server), (await isUntouched()) ? untouched(finding, server) : finding];
    }),
    check('files', async () =>
      (await isUntouched())
        ? (await paths()).map((finding) =>
            finding.key === `${id}.logs` ? untouched(finding, server) : finding,
          )
        : await paths(),
    ),
    check('log and settings', async () =>
      isFollowed ? [] : await checkLife(server, files, around, await query(), await paths()),
    ),
  ];
}

type Answer = { finding: Finding; players: number | null };

const isReadable = (key: string, findings: readonly Finding[]): boolean =>
  findings.every((finding) => finding.key !== key || finding.status !== 'wrong');

const portOf = ({ id }: ServerConfig, files: SourceFiles): FilePort => files.of(id).of(`${id} doctor`);

/** A game server that does not answer, and whose folder of logs has nothing in it. */
async function isNeverStarted(
  server: ServerConfig,
  files: SourceFiles,
  query: () => Promise<Answer>,
  paths: () => Promise<readonly Finding[]>,
): Promise<boolean> {
  const { id, logs } = server;
  if (logs === undefined || isReadable(`${id}.logs`, await paths())) return false;
  if (!isReadable(`${id}.files`, await paths()) || (await query()).finding.status === 'good') return false;
  const entries = await portOf(server, files)
    .list(logs, { matching: /^/, stat: [] })
    .catch(() => null);
  return entries?.length === 0;
}

const untouched = ({ key, tried }: Finding, { game }: ServerConfig): Finding => ({
  key,
  tried,
  status: 'good',
  found: 'nothing yet: the game server does not answer, and its folder of logs is empty',
  next: `${gameOf(game)?.words.startLogs ?? 'start the game server'}, then run the doctor again`,
});

/** What the newest log and the server's own config file say. */
async function checkLife(
  server: ServerConfig,
  files: SourceFiles,
  { environment, machine: { now, zone }, inspection }: Omit<FileCheckOptions, 'config'>,
  { finding, players }: Answer,
  paths: readonly Finding[],
): Promise<Finding[]> {
  const { id, logs, game } = server;
  if (!isReadable(`${id}.files`, paths)) return [];
  const port = portOf(server, files);
  const findings: Finding[] = [];
  // The zone is reported already.
  const isZoneWrong = paths.some(({ next }) => next === offZoneRemedy);
  if (logs !== undefined && isReadable(`${id}.logs`, paths) && !isZoneWrong) {
    const life = await readLogLife(server, port, now);
    const isLocal = files.placeOf(id) === undefined;
    const isSeldom = port.pollEveryMs >= seldomMs;
    const options = { players, now: now(), machineZone: zone, isLocal, isSeldom };
    if (life !== null) findings.push(...checkLogLife(server, life, options));
    if (life !== null && !isSeldom && (await inspection.holder)) {
      const path = port.path.join(logs, life.name);
      findings.push(...(await checkReadPosition(id, path, life, environment, now())));
    }
  }
  if (logs !== undefined && (await inspection.holder) !== undefined) {
    findings.push(...(await checkMissingLines(id, environment)));
  }
  const compared = await gameOf(game)?.checkConfig(server, port, finding.status === 'good');
  findings.push(...(compared ?? []));
  return findings;
}

function banFileCheck(banlist: BanlistConfig, files: SourceFiles, followed: FollowedSources): Check {
  return {
    group: 'servers',
    subject: `ban files of ${banlist.id}`,
    run: async () => await checkBanFiles(banlist, files, followed, () => true),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
