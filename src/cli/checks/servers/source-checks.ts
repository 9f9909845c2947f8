import type { BanlistConfig, ServerConfig } from '../../../config/schema.ts';
import { placeKinds } from '../../../config/schema/files.ts';
import { fileErrorCode, remedyOf, SourceError } from '../../../server/files/errors.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import type { HostTrust } from '../../../server/files/remote/host-trust.ts';
import { pathRemedies } from '../../../server/files/remote/path-remedies.ts';
import type { SourceFiles } from '../../../server/files/remote/source-files.ts';
import type { SourceKind } from '../../../server/ingest/follower/polled-source.ts';
import { charactersOf } from '../../../server/ingest/readers-of-game.ts';
import { readMessagesFile } from '../../../server/ingest/schedules/read-messages-file.ts';
import type { SourceOverview } from '../../../server/ingest/source-overview.ts';
import { placedFile, placeName } from '../../../server/store/repositories/projects/places.ts';
import { count } from '../../output.ts';
import { about, type CheckResult, type Finding, good, warning } from '../finding.ts';
import { checkBanFile } from './ban-file-checks.ts';
import { followedPlace, followedResult } from './followed-checks.ts';
import { checkLogs } from './log-checks.ts';
import { checkPlace, problemAt } from './place-checks.ts';
import { checkLogsAtHost } from './remote-log-checks.ts';
import { commandsToRead } from './read-permission.ts';
import { remotePathHint } from './remote-path-hint.ts';

/** How to get at the files of servers. */
export interface Access {
  files: SourceFiles;
  /** Outpost runs in a container. */
  isContainer: boolean;
  trust: HostTrust;
  /**
   * What the store has of the sources that a running service follows at other hosts, read when it is needed. It is shown
   * instead of trying them: many hosts refuse a second connection.
   */
  followed: () => Promise<readonly SourceOverview[]>;
}

/**
 * Checks where a server's files lie, and each of them. Where the login fails, no path can be tried. Nobody logs in for
 * what a running service follows. Nothing is written.
 */
export async function checkServer(server: ServerConfig, access: Access): Promise<Finding[]> {
  const followed = await access.followed();
  const running = followedAt(server, followed);
  const isFollowed = sourcesOf(server).every(({ kind, path }) => findSource(followed, kind, server.id, path));
  if (running !== undefined && isFollowed)
    return [followedPlace(server.id, running), ...(await checkSources(server, access, followed))];
  const place = await checkPlace(server, access.files, access.trust);
  if (place?.status === 'wrong')
    return [running === undefined ? place : { ...place, next: besideRunning(place) }];
  return [...(place === null ? [] : [place]), ...(await checkSources(server, access, followed))];
}

/** One of the sources that a running service follows at a server's place; undefined: it has no connection there. */
export function followedAt(
  { files }: ServerConfig,
  followed: readonly SourceOverview[],
): SourceOverview | undefined {
  return files && followed.find(({ place }) => place?.name === placeName(files));
}

const besideRunning = ({ next = '' }: Finding): string =>
  `${next}; if the host allows one connection, the running Outpost has it: restart it to try the new paths`;

interface Source {
  kind: SourceKind;
  key: string;
  path: string;
  check: (port: FilePort) => Promise<CheckResult>;
  /** What to do about a file whose content cannot be read. */
  correct?: string;
}

function sourcesOf(server: ServerConfig): Source[] {
  const { id, game, logs, playersDb, schedules } = server;
  const sources: Source[] = [];
  if (logs !== undefined) {
    const check = async (port: FilePort) => await checkLogs(logs, server, port);
    sources.push({ kind: 'logs', key: `${id}.logs`, path: logs, check });
  }
  if (playersDb !== undefined) {
    const check = async (port: FilePort) => await checkPlayersDb(game, playersDb, port);
    sources.push({ kind: 'playersDb', key: `${id}.playersDb`, path: playersDb, check });
  }
  for (const [i, schedule] of schedules.entries()) {
    if (schedule.source !== 'messages.xml') continue;
    const { file } = schedule;
    const check = async (port: FilePort) => await checkMessages(game, file, logs !== undefined, port);
    const correct = 'correct the file, or the path if this is not the messages.xml of the mission';
    sources.push({ kind: 'messages', key: `${id}.schedules[${i}]`, path: file, check, correct });
  }
  return sources;
}

/** @param path as the store names it */
function findSource(
  followed: readonly SourceOverview[],
  kind: SourceKind,
  id: string,
  path: string,
): SourceOverview | undefined {
  return followed.find((one) => one.kind === kind && one.id === id && one.path === path);
}

async function checkSources(
  server: ServerConfig,
  access: Access,
  followed: readonly SourceOverview[],
): Promise<Finding[]> {
  const { id, logs } = server;
  const { files } = access;
  const place = files.placeOf(id);
  const findings = sourcesOf(server).map(
    async (source) =>
      await checkSource(source, id, findSource(followed, source.kind, id, source.path), access),
  );
  const isTransferred = place !== undefined && placeKinds[place.type].provider === undefined;
  if (logs === undefined || !isTransferred || findSource(followed, 'logs', id, logs) !== undefined)
    return await Promise.all(findings);
  const atHost = checkLogsAtHost(logs, server, files.of(id).of(`${id}.logs ${logs}`));
  return [...(await Promise.all(findings)), ...(await atHost)];
}

/** Checks one of the ban files of a list. */
export async function checkBanSource(
  { id, sources }: BanlistConfig,
  source: BanlistConfig['sources'][number],
  access: Access,
): Promise<Finding> {
  const { file, filesOf } = source;
  const key = `${id}.sources[${sources.indexOf(source)}]`;
  const stored = findSource(await access.followed(), 'bans', id, placedFile(file, filesOf));
  const check = async (port: FilePort) => await checkBanFile(source, port);
  return await checkSource({ key, path: file, check }, filesOf, stored, access);
}

const rightToRead = 'give the user that runs Outpost the right to read it';

/** `C:\DayZ`, which other systems take for a relative path. */
const windowsPath = /(?:^|\/)[A-Za-z]:[\\/]/;

/** @param stored what a running service has stored of the source; undefined: none follows it, so it is tried */
async function checkSource(
  { key, path, check, correct = 'check that the path names the right file' }: Omit<Source, 'kind'>,
  serverId: string | undefined,
  stored: SourceOverview | undefined,
  { files, isContainer }: Access,
): Promise<Finding> {
  const source = about(key, path);
  if (stored !== undefined) return source.is(followedResult(stored));
  const isRemote = files.placeOf(serverId) !== undefined;
  const port = files.of(serverId).of(`${key} ${path}`);
  const isOfWindows = !isRemote && process.platform !== 'win32' && windowsPath.test(path);
  if (isOfWindows && (await isMissing(path, port))) {
    return source.wrong(
      'is a path of Windows, and Outpost runs on another system',
      'in a container, mount the folder, and write its path in there into the config',
    );
  }
  try {
    return source.is(await check(port));
  } catch (error) {
    const next = (await nextStep(error, isRemote, port, path)) ?? correct;
    const commands = !isRemote && next === rightToRead ? commandsToRead(path, isContainer) : '';
    return source.wrong(problemAt(path, error), `${next}${commands}`);
  }
}

const isMissing = async (path: string, port: FilePort): Promise<boolean> =>
  await port.stat(path).then(
    () => false,
    (error: unknown) => fileErrorCode(error) === 'ENOENT',
  );

/** Null: the file can be read, and its content is wrong. */
async function nextStep(
  error: unknown,
  isRemote: boolean,
  port: FilePort,
  path: string,
): Promise<string | null> {
  const known = remedyOf(error);
  // What it says is shown here.
  const remedy = known === pathRemedies['ENOENT'] ? null : known;
  if (remedy !== null && isRemote && fileErrorCode(error) === 'ENOENT') {
    return `${remedy}; ${await remotePathHint(port, path)}`;
  }
  if (remedy !== null) return remedy;
  const cause = error instanceof SourceError && error.cause !== undefined ? error.cause : error;
  const { code = '' } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      if (isRemote) return await remotePathHint(port, path);
      return "check the path; a relative one is resolved against the config file's folder";
    case 'EACCES':
    case 'EPERM':
      return rightToRead;
    case 'EBUSY':
      return 'close it in the other program; the service continues by itself then';
    default:
      return pathRemedies[code] ?? null;
  }
}

/** The file of a new server is empty until somebody has played. */
const freshMs = 24 * 60 * 60_000;

async function checkPlayersDb(game: string, file: string, port: FilePort): Promise<CheckResult> {
  const reader = charactersOf(game, file);
  if (await reader.isNotCreatedYet(file, port)) {
    return good('does not exist yet: the game creates it when the mission starts');
  }
  const { characters, empty, skipped } = await reader.read(file, port);
  const found = `${count(characters.length, 'character')}, ${count(empty, 'player')} without one`;
  const { changedAt } = await port.stat(file);
  if (characters.length + empty === 0 && changedAt !== null && Date.now() - changedAt > freshMs) {
    return warning(
      `is empty, and has not changed since ${new Date(changedAt).toISOString()}`,
      'if anybody has played since, check the mission and the number of storage_<n> in the path',
    );
  }
  const [first] = skipped;
  if (first === undefined) return good(found);
  return warning(
    `${found}, ${count(skipped.length, 'unread row')} (row ${first.row}: ${first.reason})`,
    'those rows are skipped; the others count',
  );
}

async function checkMessages(
  game: string,
  file: string,
  hasLogs: boolean,
  port: FilePort,
): Promise<CheckResult> {
  const { messages, restartMinutes } = await readMessagesFile(game, file, port);
  if (restartMinutes === null) {
    return good(
      `${count(messages, 'message')}, none of which shuts the server down: no restart is shown; ` +
        'if something else restarts the server, write the schedule into the config',
    );
  }
  const found = `restarts the server ${count(restartMinutes, 'minute')} after its start`;
  if (hasLogs) return good(found);
  return warning(
    found,
    "set logs as well: restart times are counted from the server's start, which comes from its logs",
  );
}
