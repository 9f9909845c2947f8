import { banFormats } from 'dayz-files';
import { type FileAccess, pathRemedies, type Place, placeName } from 'game-files';
import type { BanlistConfig, ServerConfig } from '../../config/schema.ts';
import { placeKinds } from '../../config/schema/files.ts';
import { fileErrorCode, fileProblem, remedyOf, SourceError } from '../../server/files/errors.ts';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { isNotCreatedYet, readBanFile } from '../../server/ingest/bans/read-ban-file.ts';
import { isMissionNotStarted, readPlayersDb } from '../../server/ingest/players/read-players-db.ts';
import { assertGameHasFile } from '../../server/ingest/assert-game-has-file.ts';
import { readMessagesFile } from '../../server/ingest/schedules/messages-file.ts';
import { checkServerConfig, findServerConfig } from '../dayz/server-config.ts';
import { keyAddressOf } from '../known-hosts.ts';
import { count } from '../output.ts';
import { about, type Finding, type Report } from './finding.ts';
import { type Access, filesAt } from './installation.ts';
import { checkLogs } from './log-checks.ts';

/**
 * Checks where a server's files lie, each of them, and the game's own config beside them. Where the login fails, no path
 * can be tried.
 */
export async function checkFiles(server: ServerConfig, access: Access): Promise<Finding[]> {
  const { id, game, logs, playersDb, schedules } = server;
  const place = await checkPlace(server, access);
  if (place?.status === 'wrong') return [place];
  const checks: Promise<Finding>[] = [];
  const check = (key: string, path: string | undefined, work: Work, correct?: string): void => {
    if (path !== undefined)
      checks.push(checkPath({ key: `${id}.${key}`, path, place: server.files, correct }, work, access));
  };
  check('logs', logs, async (folder, files, report) => await checkLogs(folder, server, files, report));
  check('playersDb', playersDb, async (file, files, report) => {
    assertGameHasFile(game, 'characterFile', file);
    return await checkPlayersDb(file, files, report);
  });
  for (const [index, schedule] of schedules.entries())
    if (schedule.source === 'messages.xml')
      check(
        `schedules[${index}]`,
        schedule.file,
        async (file, files, report) => await checkMessages(server, file, files, report),
        'correct the file, or the path if this is not the messages.xml of the mission',
      );
  const findings = [...(place === null ? [] : [place]), ...(await Promise.all(checks))];
  if (game !== dayz.type) return findings;
  const files = filesAt(access, server.files).of(`${id} settings`);
  const config = await findServerConfig(server, files);
  if (config !== null) findings.push(...checkServerConfig(server, config, files));
  return findings;
}

/** Checks one of the ban files of a list: whether it can be read and has the configured format. */
export async function checkBanSource(
  { id, sources }: BanlistConfig,
  source: BanlistConfig['sources'][number],
  place: Place | undefined,
  access: Access,
): Promise<Finding> {
  const { file: path, format } = source;
  const key = `${id}.sources[${sources.indexOf(source)}]`;
  return await checkPath(
    { key, path, place },
    async (file, files, report) => {
      if (await isNotCreatedYet(file, files)) {
        const other = await findBansBeside(file, format, files);
        if (other !== null)
          return report.warning(`does not exist, but ${other}`, 'correct the path if that file is meant');
        return banFormats[format].appearsWithFirstBan === true
          ? report.good('does not exist yet: no bans')
          : report.warning(
              'does not exist yet: no bans',
              'check the path, unless the server has never been started',
            );
      }
      const { entries, ipBans, unread } = await readBanFile(file, format, files);
      const ended = entries.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= Date.now()).length;
      const found = `${count(entries.length, 'ban')}, ${ipBans} of IP addresses (not served), ${count(unread, 'unread line')}`;
      return report.good(ended === 0 ? found : `${found}; of the bans, ${ended} ended`);
    },
    access,
  );
}

/**
 * Finds a ban file with bans near one that does not exist, whose name may be mistyped, or its folder left out.
 * @returns `/dayz/battleye/bans.txt has 3 bans`
 */
async function findBansBeside(
  file: string,
  format: BanlistConfig['sources'][number]['format'],
  files: FileAccess,
): Promise<string | null> {
  const { dirname, extname, join } = files.path;
  const folders = ['.', ...Object.values(banFormats).flatMap(({ folder }) => folder ?? [])];
  // In a file of lines, almost any text could be a banned name.
  const matching = extname(file).toLowerCase() === '.json' ? /ban.*\.json$/i : /ban.*\.txt$/i;
  for (const folder of folders.map((name) => join(dirname(file), name))) {
    const entries = await files.list(folder, { matching, stat: [] }).catch(() => []);
    for (const { name } of entries) {
      const other = join(folder, name);
      // A file of another format is not meant.
      const read = await readBanFile(other, format, files).catch(() => null);
      const bans = read === null ? 0 : read.entries.length + read.ipBans;
      if (bans > 0) return `${other} has ${count(bans, 'ban')}`;
    }
  }
  return null;
}

/** Logs in where a server's files lie, and asks whether they can be followed there; null: they are on this machine. */
async function checkPlace(
  { id, files: place }: ServerConfig,
  { remote, knownHosts }: Access,
): Promise<Finding | null> {
  if (place === undefined) return null;
  const at = remote.at(place);
  const tried = placeName(place);
  const report = about(`${id}.files`, tried);
  const { isUnencrypted, provider } = placeKinds[place.type];
  const address = keyAddressOf(place);
  try {
    const known = address === null ? null : await knownHosts.find(address);
    await at.login();
    const resumeProblem = await at.resumeProblem();
    if (resumeProblem !== null) throw resumeProblem;
    if (isUnencrypted)
      return report.warning(
        'lets the user in, but the password and all data travel open',
        'use sftp or ftps if the host offers one of them',
      );
    const fingerprint = address === null ? null : await knownHosts.find(address);
    const isNew = known === null ? ', which is trusted from the first start on' : '';
    return report.good(`lets the user in${fingerprint === null ? '' : `; it shows ${fingerprint}${isNew}`}`);
  } catch (error) {
    const next = provider === undefined ? 'check host and port' : 'run the check again in a few minutes';
    return report.wrong(problemAt(tried, error), remedyOf(error) ?? next);
  }
}

type Work = (path: string, files: FileAccess, report: Report) => Promise<Finding>;

interface CheckedPath {
  key: string;
  path: string;
  /** Undefined: it is on this machine. */
  place: Place | undefined;
  /** What to do about a file whose content cannot be read. */
  correct?: string | undefined;
}

async function checkPath(
  { key, path, place, correct = 'check that the path names the right file' }: CheckedPath,
  work: Work,
  access: Access,
): Promise<Finding> {
  const report = about(key, path);
  try {
    return await work(path, filesAt(access, place).of(`${key} ${path}`), report);
  } catch (error) {
    const next = remedyOf(error) ?? nextStep(fileErrorCode(error), place !== undefined) ?? correct;
    return report.wrong(problemAt(path, error), next);
  }
}

/** Undefined: the file can be read, and its content is wrong. */
function nextStep(code: string | undefined, isRemotePlace: boolean): string | undefined {
  switch (code) {
    case 'ENOENT':
      return isRemotePlace
        ? pathRemedies[code]
        : 'check the path, which is that inside the container if Outpost runs in one; a relative one begins at the folder of the config file';
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

async function checkPlayersDb(file: string, files: FileAccess, report: Report): Promise<Finding> {
  if (await isMissionNotStarted(file, files))
    return report.good('does not exist yet: the game creates it when the mission starts');
  const { characters, empty, skipped } = await readPlayersDb(file, files);
  const found = `${count(characters.length, 'character')}, ${count(empty, 'player')} without one`;
  const [first] = skipped;
  if (first === undefined) return report.good(found);
  return report.good(`${found}, ${count(skipped.length, 'unread row')} (row ${first.row}: ${first.reason})`);
}

async function checkMessages(
  { game, logs }: ServerConfig,
  file: string,
  files: FileAccess,
  report: Report,
): Promise<Finding> {
  const { messages, restartMinutes } = await readMessagesFile(game, file, files);
  if (restartMinutes === null)
    return report.good(
      `${count(messages, 'message')}, none of which shuts the server down: no restart is shown; if something else restarts the server, write the schedule into the config`,
    );
  const found = `restarts the server ${count(restartMinutes, 'minute')} after its start`;
  if (logs !== undefined) return report.good(found);
  return report.warning(
    found,
    "set logs as well: restart times are counted from the server's start, which comes from its logs",
  );
}
