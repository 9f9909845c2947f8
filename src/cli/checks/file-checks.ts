import {
  type FilePort,
  type Files,
  type KnownHosts,
  pathRemedies,
  placeName,
  type RemoteFiles,
} from 'game-files';
import type { BanlistConfig, ServerConfig } from '../../config/schema.ts';
import { placeKinds } from '../../config/schema/files.ts';
import { fileErrorCode, fileProblem, remedyOf, SourceError } from '../../server/files/errors.ts';
import type { SourceFiles } from '../../server/files/source-files.ts';
import { gameOf } from '../../server/games/index.ts';
import { isMissionNotStarted, readPlayersDb } from '../../server/ingest/players/read-players-db.ts';
import { requireGameFile } from '../../server/ingest/require-game-file.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import { keyAddressOf } from '../known-hosts.ts';
import { count } from '../output.ts';
import { checkBanFile } from './ban-file-checks.ts';
import { about, type Finding, type Report } from './finding.ts';
import { checkLogs } from './log-checks.ts';

/** How to get at the files of servers. */
export interface Access {
  files: SourceFiles;
  knownHosts: KnownHosts;
}

/** Checks where a server's files lie, and each of them. Where the login fails, no path can be tried. */
export async function checkFiles(server: ServerConfig, access: Access): Promise<Finding[]> {
  const place = await checkPlace(server, access);
  if (place?.status === 'wrong') return [place];
  const findings = sourcesOf(server).map(async (source) => await checkSource(source, server.id, access));
  return [...(place === null ? [] : [place]), ...(await Promise.all(findings))];
}

/** Checks one of the ban files of a list. */
export async function checkBanSource(
  { id, sources }: BanlistConfig,
  source: BanlistConfig['sources'][number],
  access: Access,
): Promise<Finding> {
  const key = `${id}.sources[${sources.indexOf(source)}]`;
  const check: Source['check'] = async (port, report) => await checkBanFile(source, port, report);
  return await checkSource({ key, path: source.file, check }, source.filesOf, access);
}

/** Logs in where a server's files lie, and asks whether they can be followed there; null: they are on this machine. */
async function checkPlace(
  { id, files: place }: ServerConfig,
  { files, knownHosts }: Access,
): Promise<Finding | null> {
  const at = files.of(id);
  if (place === undefined || !isRemote(at)) return null;
  const tried = placeName(place);
  const report = about(`${id}.files`, tried);
  const { isUnencrypted, provider } = placeKinds[place.type];
  const address = keyAddressOf(place);
  try {
    const known = address === null ? null : await knownHosts.find(address);
    await at.login();
    const resumeProblem = await at.resumeProblem();
    if (resumeProblem !== null) throw resumeProblem;
    if (isUnencrypted) return report('place.open');
    const fingerprint = address === null ? null : await knownHosts.find(address);
    const isNew = known === null ? ', which is trusted from the first start on' : '';
    return report('place.good', {
      key: fingerprint === null ? '' : `; it shows ${fingerprint}${isNew}`,
    });
  } catch (error) {
    const next = remedyOf(error) ?? (provider === undefined ? 'check host and port' : '');
    return report('place.refused', { problem: problemAt(tried, error), next });
  }
}

const isRemote = (files: Files): files is RemoteFiles => 'close' in files;

interface Source {
  key: string;
  path: string;
  check: (port: FilePort, report: Report) => Promise<Finding>;
  /** What to do about a file whose content cannot be read. */
  correct?: string;
}

function sourcesOf(server: ServerConfig): Source[] {
  const { id, game, logs, playersDb, schedules } = server;
  const sources: Source[] = [];
  if (logs !== undefined) {
    sources.push({
      key: `${id}.logs`,
      path: logs,
      check: async (port, report) => await checkLogs(logs, server, port, report),
    });
  }
  if (playersDb !== undefined) {
    sources.push({
      key: `${id}.playersDb`,
      path: playersDb,
      check: async (port, report) => await checkPlayersDb(game, playersDb, port, report),
    });
  }
  for (const [i, schedule] of schedules.entries()) {
    if (schedule.source !== 'messages.xml') continue;
    sources.push({
      key: `${id}.schedules[${i}]`,
      path: schedule.file,
      check: async (port, report) => await checkMessages(server, schedule.file, port, report),
      correct: 'correct the file, or the path if this is not the messages.xml of the mission',
    });
  }
  return sources;
}

/** `C:\DayZ`, which other systems take for a relative path. */
const windowsPath = /(?:^|\/)[A-Za-z]:[\\/]/;

async function checkSource(
  { key, path, check, correct = 'check that the path names the right file' }: Source,
  serverId: string | undefined,
  { files }: Access,
): Promise<Finding> {
  const report = about(key, path);
  const isRemotePlace = files.placeOf(serverId) !== undefined;
  const port = files.of(serverId).of(`${key} ${path}`);
  const isOfWindows = !isRemotePlace && process.platform !== 'win32' && windowsPath.test(path);
  if (isOfWindows && (await isMissing(path, port))) return report('file.ofWindows');
  try {
    return await check(port, report);
  } catch (error) {
    const next = remedyOf(error) ?? nextStep(fileErrorCode(error), isRemotePlace) ?? correct;
    return report('file.unreadable', { problem: problemAt(path, error), next });
  }
}

const isMissing = async (path: string, port: FilePort): Promise<boolean> =>
  await port.stat(path).then(
    () => false,
    (error: unknown) => fileErrorCode(error) === 'ENOENT',
  );

/** Undefined: the file can be read, and its content is wrong. */
function nextStep(code: string | undefined, isRemotePlace: boolean): string | undefined {
  switch (code) {
    case 'ENOENT':
      return isRemotePlace
        ? pathRemedies[code]
        : 'check the path; a relative one begins at the folder of the config file';
    case 'EACCES':
    case 'EPERM':
      return 'give the user that runs Outpost the right to read it; docs/setup.md shows how';
    case 'EBUSY':
      return 'close it in the other program; the service continues by itself then';
    default:
      return pathRemedies[code ?? ''];
  }
}

/** Why a path or place cannot be used, without its name, which the finding shows. Messages leave the user of a place out. */
function problemAt(tried: string, error: unknown): string {
  const problem = error instanceof SourceError ? error.message : fileProblem(error);
  return problem.startsWith(`${tried}: `)
    ? problem.slice(tried.length + 2)
    : problem.replace(/^[a-z]+:\/\/\S+: /, '');
}

async function checkPlayersDb(game: string, file: string, port: FilePort, report: Report): Promise<Finding> {
  requireGameFile(game, 'characterFile', file);
  if (await isMissionNotStarted(file, port)) return report('characters.new');
  const { characters, empty, skipped } = await readPlayersDb(file, port);
  const found = `${count(characters.length, 'character')}, ${count(empty, 'player')} without one`;
  const [first] = skipped;
  const unread =
    first === undefined ? '' : `, ${count(skipped.length, 'unread row')} (row ${first.row}: ${first.reason})`;
  return report('characters.read', { found: found + unread });
}

async function checkMessages(
  { game, logs }: ServerConfig,
  file: string,
  port: FilePort,
  report: Report,
): Promise<Finding> {
  const { messages, restartMinutes } = await readMessagesFile(game, file, port);
  if (restartMinutes === null) return report('messages.noRestart', { messages: count(messages, 'message') });
  const minutes = count(restartMinutes, 'minute');
  return report(logs === undefined ? 'messages.noLogs' : 'messages.restart', { minutes });
}

/** Compares a server's own config file with that of Outpost. @param isAnswering whether the server answers the query */
export async function checkSettings(
  server: ServerConfig,
  port: FilePort,
  isAnswering: boolean,
): Promise<Finding[]> {
  const findings = (await gameOf(server.game)?.checkConfig(server, port, isAnswering)) ?? [];
  return findings.map(({ key, tried, status, found, next = '' }) =>
    status === 'good'
      ? about(key, tried)('settings.agree', { found })
      : about(key, tried)('settings.differ', { found, next }),
  );
}
