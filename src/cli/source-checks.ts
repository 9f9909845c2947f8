import { dirname, join } from 'node:path';
import type { BanlistConfig, ServerConfig } from '../config/schema.ts';
import { isNotCreatedYet, readBanFile } from '../server/ingest/bans/read-file.ts';
import { fileProblem, SourceError } from '../server/ingest/errors.ts';
import { type ByteSource, readBlocks } from '../server/ingest/files/blocks.ts';
import type { FilePort, Files } from '../server/ingest/files/file-port.ts';
import { gamesWithLogs, logFormats } from '../server/games/index.ts';
import { noFormats } from '../server/ingest/logs/log-files.ts';
import { LocalZone } from '../server/ingest/logs/local-clock.ts';
import { fileNamesOf, formatOf, type LogFormat } from '../server/ingest/logs/log-format.ts';
import { findRunOffZone, offZoneProblem, offZoneRemedy } from '../server/ingest/logs/off-zone-logs.ts';
import { EventReading, openWhole } from '../server/ingest/logs/read-to-end.ts';
import { readMessagesFile } from '../server/ingest/schedules/read-messages-file.ts';
import { isMissionNotStarted, readPlayersDb } from '../server/ingest/players/import-players-db.ts';

/** The result of one check. `warning`: it may be right, but the owner should check; `wrong`: it cannot work. */
export interface Finding {
  /** Where it stands: `northwood-1.logs`. */
  key: string;
  /** The path or address that was tried. */
  tried: string;
  status: 'good' | 'warning' | 'wrong';
  found: string;
  /** What to do about it. */
  next?: string;
}

type Result = Omit<Finding, 'key' | 'tried'>;

/** Tries every file and folder of a server. Nothing is written. */
export async function checkServerFiles(server: ServerConfig, files: Files): Promise<Finding[]> {
  const { id, logs, playersDb, schedules } = server;
  const findings: Promise<Finding>[] = [];
  const check = (key: string, path: string, work: (port: FilePort) => Promise<Result>): void => {
    findings.push(attempt(key, path, () => work(files.of(`${key} ${path}`))));
  };
  if (logs !== undefined) check(`${id}.logs`, logs, (port) => checkLogs(logs, server, port));
  if (playersDb !== undefined) check(`${id}.playersDb`, playersDb, (port) => checkPlayersDb(playersDb, port));
  for (const [i, schedule] of schedules.entries()) {
    if (schedule.source !== 'messages.xml') continue;
    const { file } = schedule;
    check(`${id}.schedules[${i}]`, file, (port) => checkMessages(file, logs !== undefined, port));
  }
  return await Promise.all(findings);
}

/** Tries the ban files of a list. Nothing is written. */
export async function checkBanFiles({ id, sources }: BanlistConfig, files: Files): Promise<Finding[]> {
  const findings = sources.map(async ({ file, format, write }, i) => {
    const key = `${id}.sources[${i}]`;
    return await attempt(key, file, () => checkBans(file, format, write, files.of(`${key} ${file}`)));
  });
  return await Promise.all(findings);
}

async function attempt(key: string, tried: string, check: () => Promise<Result>): Promise<Finding> {
  try {
    return { key, tried, ...(await check()) };
  } catch (error) {
    const problem = error instanceof SourceError ? error.message : fileProblem(error);
    const found = problem.startsWith(`${tried}: `) ? problem.slice(tried.length + 2) : problem;
    return { key, tried, status: 'wrong', found, next: nextStep(error) };
  }
}

function nextStep(error: unknown): string {
  const cause = error instanceof SourceError && error.cause !== undefined ? error.cause : error;
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'check the path; a relative one is taken from the folder of the config file';
    case 'EACCES':
    case 'EPERM':
      return 'give the user that runs Outpost the right to read it';
    case 'EISDIR':
      return 'name the file itself, not the folder that it is in';
    case 'ENOTDIR':
      return 'name the folder, not a file in it';
    case 'ESILENT':
      return 'check the share or disk; the service goes on by itself when it answers';
    default:
      return 'check that the path names the right file';
  }
}

async function checkLogs(folder: string, { game, timezone }: ServerConfig, port: FilePort): Promise<Result> {
  const formats = logFormats(game);
  if (formats.length === 0) {
    const next = `leave logs out; logs can be read of: ${gamesWithLogs.join(', ')}`;
    return { status: 'wrong', found: noFormats(game), next };
  }
  const runFormats = formats.filter(({ holds }) => holds === 'runs');
  const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
  const logs = entries.filter(({ name }) => formatOf(formats, name)?.holds === 'runs');
  const identities = entries.length - logs.length;
  const [newest] = logs.toSorted((a, b) => (b.stat?.changedAt ?? 0) - (a.stat?.changedAt ?? 0));
  const format = newest && formatOf(formats, newest.name);
  if (newest === undefined || !format) {
    const [missing] = runFormats.flatMap((one) => one.missing ?? []);
    return {
      status: 'wrong',
      ...(missing ?? { found: 'no log of the game in this folder', next: 'check the path' }),
    };
  }
  const header = await firstHeader(await openWhole(port, join(folder, newest.name)), format, timezone);
  const hasIdentityFormat = formats.length > runFormats.length;
  const beside = hasIdentityFormat ? `, ${identities} logs with SteamID64s (.RPT, serverconsole.log)` : '';
  const found = `${logs.length} admin ${logs.length === 1 ? 'log' : 'logs'}${beside}`;
  if (header === null) {
    return {
      status: 'warning',
      found: `${found}; ${newest.name} ${format.notThis ?? 'holds no log of the game'}`,
      next: `check that the folder is that of a server of the game "${game}"; a log that was just begun is fine`,
    };
  }
  const latest = `${found}; the latest, ${newest.name}, was begun on ${header}`;
  const offZone = await findRunOffZone(
    logs.map(({ name }) => join(folder, name)),
    { formats, timezone, port },
  );
  if (offZone !== null) {
    return {
      status: 'warning',
      found: `${latest}; ${offZoneProblem(offZone, timezone)}`,
      next: offZoneRemedy,
    };
  }
  if (identities > 0 || !hasIdentityFormat) return { status: 'good', found: latest };
  return {
    status: 'warning',
    found: latest,
    next: 'keep the .RPT files in the same folder: without them few players have a SteamID64',
  };
}

/** The header of the first run in a log; null: the log has none so far. */
async function firstHeader(log: ByteSource, format: LogFormat, timezone: string): Promise<string | null> {
  const headers: string[] = [];
  const reading = new EventReading(format, { zone: new LocalZone(timezone), state: null }, (event) => {
    if (event.kind === 'run-started') headers.push(event.header);
  });
  for await (const block of readBlocks(log)) {
    reading.read(block);
    break;
  }
  return headers[0] ?? null;
}

async function checkPlayersDb(file: string, port: FilePort): Promise<Result> {
  if (await isMissionNotStarted(file, port)) {
    return { status: 'good', found: 'not there yet: the game makes it when the mission is started' };
  }
  const { characters, empty, skipped } = await readPlayersDb(file, port);
  const found = `${characters.length} characters, ${empty} players without one`;
  const [first] = skipped;
  if (first === undefined) return { status: 'good', found };
  return {
    status: 'warning',
    found: `${found}, ${skipped.length} rows that cannot be read (row ${first.row}: ${first.reason})`,
    next: 'those rows are passed over; the others count',
  };
}

async function checkMessages(file: string, hasLogs: boolean, port: FilePort): Promise<Result> {
  const { messages, restartMinutes } = await readMessagesFile(file, port);
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
    next: "set logs, too: the server's start is known from them, and the restarts count from it",
  };
}

const noBans = { entries: [], ipBans: 0, unread: 0 };

async function checkBans(
  file: string,
  format: BanlistConfig['sources'][number]['format'],
  write: boolean,
  port: FilePort,
): Promise<Result> {
  const isNew = await isNotCreatedYet(file, port);
  const { entries, ipBans, unread } = isNew ? noBans : await readBanFile(file, format, port);
  const found = isNew
    ? 'not there yet: no bans'
    : `${entries.length} bans, ${ipBans} of addresses (not served), ${unread} lines that are no ban`;
  // BattlEye makes its file with the first ban; the game comes with a ban.txt, and VPP makes its list when it starts.
  if (isNew && format !== 'battleye' && !write) {
    return { status: 'warning', found, next: 'check the path, unless the server was never started' };
  }
  if (!write) return { status: 'good', found };
  try {
    if (!isNew) await port.checkWritable(file);
    await port.checkWritable(dirname(file));
  } catch {
    return {
      status: 'wrong',
      found: `${found}; write is true, but the file or its folder may not be written`,
      next: 'give the user that runs Outpost the right to write both, or set write: false',
    };
  }
  return { status: 'good', found: `${found}; may be written` };
}
