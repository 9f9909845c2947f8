import type { BanlistConfig, ServerConfig } from '../../config/schema.ts';
import { placeKinds } from '../../config/schema/files.ts';
import { fileErrorCode, fileProblem, remedyOf, SourceError } from '../../server/files/errors.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import { pathRemedies } from '../../server/files/remote/path-remedies.ts';
import type { SourceFiles } from '../../server/files/remote/source-files.ts';
import type { SourceKind } from '../../server/ingest/follower/followed-sources.ts';
import { charactersOf } from '../../server/ingest/readers-of-game.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import { placedFile } from '../../server/store/repositories/projects/places.ts';
import { checkBanFile } from './ban-file-checks.ts';
import type { FollowedSources } from '../followed-sources.ts';
import type { CheckResult, Finding } from './finding.ts';
import { followedResult } from './followed-checks.ts';
import { checkLogs } from './log-checks.ts';
import { checkLogsAtHost } from './remote-log-checks.ts';
import { remotePathHint } from './remote-path-hint.ts';

interface SourceCheck {
  kind: SourceKind;
  key: string;
  path: string;
  work(port: FilePort): Promise<CheckResult>;
}

function checksOf(server: ServerConfig): SourceCheck[] {
  const { id, game, logs, playersDb, schedules } = server;
  const checks: SourceCheck[] = [];
  const check = (kind: SourceKind, key: string, path: string, work: SourceCheck['work']): void =>
    void checks.push({ kind, key, path, work });
  if (logs !== undefined) check('logs', `${id}.logs`, logs, (port) => checkLogs(logs, server, port));
  if (playersDb !== undefined) {
    check('playersDb', `${id}.playersDb`, playersDb, (port) => checkPlayersDb(game, playersDb, port));
  }
  for (const [i, schedule] of schedules.entries()) {
    if (schedule.source !== 'messages.xml') continue;
    const { file } = schedule;
    const key = `${id}.schedules[${i}]`;
    check('messages', key, file, (port) => checkMessages(game, file, logs !== undefined, port));
  }
  return checks;
}

/** Whether a server has a file or folder that no running service follows. */
export function isTried(server: ServerConfig, followed: FollowedSources): boolean {
  return checksOf(server).some(({ kind, path }) => followed.find(kind, server.id, path) === null);
}

/** Checks every file and folder of a server. Nothing is written. */
export async function checkServerFiles(
  server: ServerConfig,
  files: SourceFiles,
  followed: FollowedSources,
): Promise<Finding[]> {
  const { id, logs } = server;
  const place = files.placeOf(id);
  const isRemote = place !== undefined;
  const findings = checksOf(server).map(async ({ kind, key, path, work }): Promise<Finding> => {
    const stored = followed.find(kind, id, path);
    if (stored !== null) return { key, tried: path, ...followedResult(stored) };
    return await attempt({ key, path, port: files.of(id).of(`${key} ${path}`), isRemote }, work);
  });
  const isTransferred = place !== undefined && placeKinds[place.type].provider === undefined;
  if (logs === undefined || !isTransferred || followed.find('logs', id, logs) !== null)
    return await Promise.all(findings);
  const atHost = checkLogsAtHost(logs, server, files.of(id).of(`${id}.logs ${logs}`));
  return [...(await Promise.all(findings)), ...(await atHost)];
}

/** Checks the ban files of a list. Nothing is written. */
export async function checkBanFiles(
  { id, sources }: BanlistConfig,
  files: SourceFiles,
  followed: FollowedSources,
  isWanted: (serverId: string | undefined) => boolean,
): Promise<Finding[]> {
  const findings = sources.map(async (source, i): Promise<Finding[]> => {
    const { file, filesOf } = source;
    if (!isWanted(filesOf)) return [];
    const key = `${id}.sources[${i}]`;
    const stored = followed.find('bans', id, placedFile(file, filesOf));
    if (stored !== null) return [{ key, tried: file, ...followedResult(stored) }];
    const port = files.of(filesOf).of(`${key} ${file}`);
    const tried = { key, path: file, port, isRemote: files.placeOf(filesOf) !== undefined };
    return [await attempt(tried, (at) => checkBanFile(source, at))];
  });
  return (await Promise.all(findings)).flat();
}

interface Attempt {
  key: string;
  path: string;
  port: FilePort;
  isRemote: boolean;
}

async function attempt(
  { key, path: tried, port, isRemote }: Attempt,
  check: (port: FilePort) => Promise<CheckResult>,
): Promise<Finding> {
  try {
    return { key, tried, ...(await check(port)) };
  } catch (error) {
    const problem = error instanceof SourceError ? error.message : fileProblem(error);
    const found = problem.startsWith(`${tried}: `) ? problem.slice(tried.length + 2) : problem;
    return { key, tried, status: 'wrong', found, next: await nextStep(error, isRemote, port, tried) };
  }
}

async function nextStep(error: unknown, isRemote: boolean, port: FilePort, path: string): Promise<string> {
  const known = remedyOf(error);
  // What it says is shown here.
  const remedy = known === pathRemedies['ENOENT'] ? null : known;
  if (remedy !== null && isRemote && fileErrorCode(error) === 'ENOENT') {
    return `${remedy}; ${await remotePathHint(port, path)}`;
  }
  if (remedy !== null) return remedy;
  const cause = error instanceof SourceError && error.cause !== undefined ? error.cause : error;
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      if (isRemote) return await remotePathHint(port, path);
      return "check the path; a relative one is resolved against the config file's folder";
    case 'EACCES':
    case 'EPERM':
      return isRemote
        ? 'ask the host to let this user read it'
        : 'give the user that runs Outpost the right to read it';
    case 'EISDIR':
      return 'name the file itself, not the folder that it is in';
    case 'ENOTDIR':
      return 'name the folder, not a file in it';
    case 'ESILENT':
      return 'check the share or disk; the service continues by itself when it responds';
    default:
      return 'check that the path names the right file';
  }
}

/** The file of a new server is empty until somebody has played. */
const freshMs = 24 * 60 * 60_000;

async function checkPlayersDb(game: string, file: string, port: FilePort): Promise<CheckResult> {
  const reader = charactersOf(game, file);
  if (await reader.isNotCreatedYet(file, port)) {
    return { status: 'good', found: 'does not exist yet: the game creates it when the mission starts' };
  }
  const { characters, empty, skipped } = await reader.read(file, port);
  const found = `${characters.length} characters, ${empty} players without one`;
  const { changedAt } = await port.stat(file);
  if (characters.length + empty === 0 && changedAt !== null && Date.now() - changedAt > freshMs) {
    return {
      status: 'warning',
      found: `is empty, and has not changed since ${new Date(changedAt).toISOString()}`,
      next: 'if anybody has played since, check the mission and the number of storage_<n> in the path',
    };
  }
  const [first] = skipped;
  if (first === undefined) return { status: 'good', found };
  return {
    status: 'warning',
    found: `${found}, ${skipped.length} rows that cannot be read (row ${first.row}: ${first.reason})`,
    next: 'those rows are skipped; the others count',
  };
}

async function checkMessages(
  game: string,
  file: string,
  hasLogs: boolean,
  port: FilePort,
): Promise<CheckResult> {
  const { messages, restartMinutes } = await readMessagesFile(game, file, port);
  if (restartMinutes === null) {
    return {
      status: 'good',
      found:
        `${messages} messages, none of which shuts the server down: no restart is shown; ` +
        'if something else restarts the server, write the schedule into the config',
    };
  }
  const found = `restarts the server ${restartMinutes} minutes after its start`;
  if (hasLogs) return { status: 'good', found };
  return {
    status: 'warning',
    found,
    next: "set logs as well: restart times are counted from the server's start, which comes from its logs",
  };
}
