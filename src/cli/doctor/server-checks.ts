import type { Environment } from '../../config/environment.ts';
import type { BanlistConfig, Config, ServerConfig } from '../../config/schema.ts';
import { defaultGame } from '../../config/schema/server.ts';
import { offZoneRemedy } from '../../server/ingest/logs/off-zone-logs.ts';
import { activeSources } from '../../server/ingest/configured-sources.ts';
import { type HostTrust, trustInMemory } from '../../server/ingest/files/remote/host-trust.ts';
import type { SourceFiles } from '../../server/ingest/files/remote/source-files.ts';
import type { Finding } from '../check-config/finding.ts';
import { checkServer } from '../check-config/server-checks.ts';
import { checkBanFiles } from '../check-config/source-checks.ts';
import { withKnownHosts } from '../known-hosts.ts';
import { withSourceFiles } from '../source-files.ts';
import type { DataInspection } from './data-process.ts';
import type { Machine } from './machine.ts';
import { checkLogLife } from './log-life-checks.ts';
import { readLogLife } from './log-life.ts';
import type { Check } from './run-checks.ts';
import { checkServerConfig, findServerConfig } from './server-config-checks.ts';

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
  const withFiles = async (trust: HostTrust): Promise<T> =>
    await withSourceFiles(activeSources(config), trust, async (files) => {
      const listed = banlists.map((banlist) => banFileCheck(banlist, files));
      return await work([...servers.flatMap((one) => checksOf(one, files, trust, machine)), ...listed]);
    });
  return await withTrust(servers, environment, inspection, withFiles);
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

function checksOf(server: ServerConfig, files: SourceFiles, trust: HostTrust, machine: Machine): Check[] {
  const { id } = server;
  const query = once(async () => {
    // Loaded on demand, because the query library takes long to load.
    const { checkPort } = await import('../check-config/port-checks.ts');
    return await checkPort(server);
  });
  return [
    {
      group: 'servers',
      subject: `query of ${id}`,
      async run() {
        const { checkQueryKeys } = await import('../check-config/port-checks.ts');
        return [...checkQueryKeys(server), (await query()).finding];
      },
    },
    {
      group: 'servers',
      subject: `files of ${id}`,
      run: async () => await checkFiles(server, files, trust, machine, query),
    },
  ];
}

type Answer = { finding: Finding; players: number | null };

async function checkFiles(
  server: ServerConfig,
  files: SourceFiles,
  trust: HostTrust,
  { now, zone }: Machine,
  query: () => Promise<Answer>,
): Promise<Finding[]> {
  const findings = await checkServer(server, files, trust);
  const { id, logs, game } = server;
  const isReadable = (key: string): boolean =>
    findings.every((finding) => finding.key !== key || finding.status !== 'wrong');
  if (!isReadable(`${id}.files`)) return findings;
  const answer = await query();
  const isLocal = files.placeOf(id) === undefined;
  const port = files.of(id).of(`${id} doctor`);
  const isZoneProved = findings.some(
    ({ key, status, next }) => key === `${id}.logs` && status === 'warning' && next === offZoneRemedy,
  );
  const life =
    logs !== undefined && isReadable(`${id}.logs`) && !isZoneProved
      ? await readLogLife(server, port, now())
      : null;
  if (life !== null) {
    const isSeldom = port.pollEveryMs >= seldomMs;
    const options = { players: answer.players, now: now(), machineZone: zone, isLocal, isSeldom };
    findings.push(...checkLogLife(server, life, options));
  }
  const own = game === defaultGame ? await findServerConfig(server, port) : null;
  const isAnswering = answer.finding.status === 'good';
  if (own !== null) findings.push(...checkServerConfig(server, own, isAnswering, port));
  return findings;
}

function banFileCheck(banlist: BanlistConfig, files: SourceFiles): Check {
  return {
    group: 'servers',
    subject: `ban files of ${banlist.id}`,
    run: async () => await checkBanFiles(banlist, files, () => true),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
