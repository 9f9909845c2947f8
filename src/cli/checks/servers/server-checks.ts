import type { BanlistConfig, ServerConfig } from '../../../config/schema.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import type { SourceFiles } from '../../../server/files/remote/source-files.ts';
import { gameOf } from '../../../server/games/index.ts';
import { offZoneRemedy } from '../../../server/ingest/logs/reading/off-zone-logs.ts';
import { checkMissingLines, checkReadPosition } from '../data/stored-checks.ts';
import { about, type Finding } from '../finding.ts';
import type { Installation } from '../installation.ts';
import { once } from '../once.ts';
import type { Check } from '../run-checks.ts';
import { checkNewestLog } from './newest-log-checks.ts';
import { isSeldomPolled, readNewestLog } from './newest-log.ts';
import { checkBanSource, checkServer, followedAt, type Access } from './source-checks.ts';

/** Checks of a game server, its files and its own config. */
export function serverChecks(server: ServerConfig, access: Access, one: Installation): Check[] {
  const { id } = server;
  const { files } = access;
  // Loaded on demand, because the query library takes long to load.
  const portChecks = async () => await import('./port-checks.ts');
  const query = once(
    async () => await (await portChecks()).checkPort(server, portOf(server, files), one.machine),
  );
  const paths = once(async () => await checkServer(server, access));
  /** Nobody else may log in where a running service has. */
  const isFollowed = async () => followedAt(server, await access.followed()) !== undefined;
  const isUntouched = once(
    async () =>
      one.command === 'doctor' &&
      !(await isFollowed()) &&
      (await isNeverStarted(server, files, query, paths)),
  );
  return [
    {
      doctor: 'servers',
      checkConfig: 'config',
      subject: `query of ${id}`,
      run: async () => (await portChecks()).checkQueryKeys(server),
    },
    {
      doctor: 'servers',
      checkConfig: 'queries',
      isOnline: true,
      subject: `query of ${id}`,
      async run() {
        const { finding } = await query();
        return [(await isUntouched()) ? untouched(finding, server) : finding];
      },
    },
    {
      doctor: 'servers',
      checkConfig: 'files',
      isOnline: files.placeOf(id) !== undefined,
      subject: `files of ${id}`,
      async run() {
        const findings = await paths();
        if (!(await isUntouched())) return findings;
        return findings.map((finding) =>
          finding.key === `${id}.logs` ? untouched(finding, server) : finding,
        );
      },
    },
    {
      doctor: 'servers',
      subject: `log and settings of ${id}`,
      run: async () =>
        (await isFollowed())
          ? []
          : await checkLogAndSettings(server, files, one, await query(), await paths()),
    },
  ];
}

export function banFileChecks(banlist: BanlistConfig, access: Access): Check[] {
  return banlist.sources.map((source) => ({
    doctor: 'servers',
    checkConfig: 'files',
    isOnline: access.files.placeOf(source.filesOf) !== undefined,
    subject: `ban files of ${banlist.id}`,
    run: async () => [await checkBanSource(banlist, source, access)],
  }));
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

const untouched = ({ key, tried }: Finding, { game }: ServerConfig): Finding =>
  about(key, tried).good(
    'nothing yet: the game server does not answer, and its folder of logs is empty',
    `${gameOf(game)?.words.startLogs ?? 'start the game server'}, then run the doctor again`,
  );

/** What the newest log and the server's own config file say. */
async function checkLogAndSettings(
  server: ServerConfig,
  files: SourceFiles,
  { machine: { now, zone }, read, holder }: Installation,
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
    const newest = await readNewestLog(server, port, now);
    const isLocal = files.placeOf(id) === undefined;
    const isSeldom = isSeldomPolled(port);
    const options = { players, now: now(), machineZone: zone, isLocal, isSeldom };
    if (newest !== null) findings.push(...checkNewestLog(server, newest, options));
    if (newest !== null && !isSeldom && (await holder))
      findings.push(...(await checkReadPosition(id, port.path.join(logs, newest.name), newest, read, now())));
  }
  if (logs !== undefined) findings.push(...(await checkMissingLines(id, read)));
  const compared = await gameOf(game)?.checkConfig(server, port, finding.status === 'good');
  return [...findings, ...(compared ?? [])];
}
