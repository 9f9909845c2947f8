import { basename } from 'node:path';
import {
  type LogFile,
  type MissingLines,
  readLogFiles,
  readStaleFiles,
} from '../store/repositories/logs/log-files.ts';
import type { Database } from '../store/engine/database.ts';
import { runsOffZone } from '../store/repositories/logs/run-copies.ts';
import { placedFile, placeName } from '../store/repositories/projects/places.ts';
import { findOwnServer } from '../store/repositories/projects/servers.ts';
import { readSourceStates } from '../store/repositories/logs/source-states.ts';
import { isNotCreatedYet } from './bans/read-file.ts';
import { gameOf, usualGame } from '../games/index.ts';
import { fileErrorCode, fileProblem } from '../files/errors.ts';
import type { FilePort } from '../files/file-port.ts';
import { followedSource, type SourceKind } from './follower/followed-sources.ts';
import type { Place } from '../files/remote/place.ts';
import type { SourceFiles } from '../files/remote/source-files.ts';
import { isNewer } from './logs/folder-listing.ts';
import { fileNamesOf, formatOf, type LogFormats } from './logs/log-format.ts';
import { sizeOfStamp, timeOfStamp } from './logs/log-stamp.ts';
import { offZoneProblem, offZoneRemedy } from './logs/off-zone-logs.ts';
import { messagesFilesOf, type Sources } from './follower/sources.ts';

/** A source of the config and how far it was read: out of the store and the file system, without a running service. */
export interface SourceOverview {
  kind: SourceKind | 'identities';
  /** Of the server or ban list. */
  id: string;
  path: string;
  /** Where it lies; null: on this machine. */
  place: { type: Place['type']; name: string } | null;
  /**
   * Of a source that a running service follows at another host: this is what it has stored, and its host answered it
   * then (epoch milliseconds; null: not yet). Null: the files themselves say this.
   */
  followed: { answeredAt: number | null } | null;
  logs: LogOverview | null;
  /** Bytes of the file; null: of a folder, or it is not there. */
  size: number | null;
  /** What the last reading said, of other files than logs, and when that was, epoch milliseconds. */
  report: Record<string, unknown> | null;
  readAt: number | null;
  /** Why it cannot be read now, or could not when it was tried last; null: it can. */
  error: string | null;
}

export interface LogOverview {
  files: number;
  lines: number;
  unreadLines: number;
  /** Lines that no rule knows, without names, ids and addresses. */
  examples: string[];
  /** The latest moment that a line names, epoch milliseconds. */
  lastEventAt: number | null;
  /** What the files hold and was not read (yet): a line that has not ended is. */
  lagBytes: number;
  /** Files that an earlier version has read and that are being read again for what it missed. */
  staleFiles: number;
  /** Lines that count nowhere, by file: a cut has parted them from the header of their run, or they were not there. */
  missing: (MissingLines & { path: string })[];
  /** What is wrong with the zone that the config names, and what to do; null: nothing is known. */
  zoneProblem: string | null;
  /** The file that is being written, or was last. */
  newest: { path: string; position: number; size: number } | null;
}

const maxExamples = 3;

/**
 * Every source that the config names, in its order. One that does not answer is listed with that as its error.
 * @param files null: only the sources that a running service follows at other hosts
 */
export async function overviewOfSources(
  db: Pick<Database, 'selectFrom'>,
  { servers, banlists, places }: Sources,
  files: SourceFiles | null,
  formats: LogFormats,
): Promise<SourceOverview[]> {
  const states = await readSourceStates(db);
  const stateOf = (kind: string, id: string, path: string): Partial<(typeof states)[number]> =>
    states.find((state) => state.kind === kind && state.owner_id === id && state.path === path) ?? {};
  /** Where a source is; a port only if it has to be asked itself. */
  const accessTo = (
    kind: SourceKind,
    id: string,
    file: string,
    serverId: string | undefined,
  ): SourceAccess => {
    const place = serverId === undefined ? undefined : places?.get(serverId);
    const path = kind === 'bans' ? placedFile(file, serverId) : file;
    const followed =
      place === undefined ? null : followedSource(states, { kind, id, path, place }, Date.now());
    return {
      place: place === undefined ? null : { type: place.type, name: placeName(place) },
      followed,
      port:
        followed === null
          ? (files?.of(serverId).of(JSON.stringify([kind, id, file, serverId])) ?? null)
          : null,
    };
  };
  const overviewOfFile = async (
    kind: SourceKind,
    id: string,
    file: string,
    serverId: string | undefined,
    isMissingYet?: (port: FilePort, report: Record<string, unknown> | null) => Promise<boolean>,
  ): Promise<SourceOverview[]> => {
    const { port, place, followed } = accessTo(kind, id, file, serverId);
    if (port === null && followed === null) return [];
    const path = kind === 'bans' ? placedFile(file, serverId) : file;
    const { report = null, read_at = null, error = null } = stateOf(kind, id, path);
    const found = port === null ? { size: null, error: null, code: undefined } : await sizeOf(file, port);
    const said = report === null ? null : (JSON.parse(report) as Record<string, unknown>);
    const isNotMissed =
      error === null &&
      port !== null &&
      found.code === 'ENOENT' &&
      (await isMissingYet?.(port, said)) === true;
    const failure = error ?? stateOf('banWrites', id, path).error ?? null;
    const source = {
      kind,
      id,
      path,
      place,
      followed,
      logs: null,
      size: found.size,
      report: said,
      readAt: read_at,
      // The service knows for how long a source has not answered.
      error: (isNotMissed || (found.code === 'ESILENT' && failure !== null) ? null : found.error) ?? failure,
    };
    return [source];
  };
  const overviews: Promise<SourceOverview[]>[] = [];
  for (const server of servers) {
    const { id, game = usualGame.type, logs, playersDb } = server;
    if (logs !== undefined) {
      const { error = null } = stateOf('logs', id, logs);
      const access = accessTo('logs', id, logs, id);
      overviews.push(overviewOfLogs(db, { id, folder: logs, error, formats, ...access }));
    }
    if (playersDb !== undefined) {
      // A server that was never started has no characters.
      const isMissingYet = async (port: FilePort, report: object | null): Promise<boolean> =>
        report === null && (await gameOf(game)?.characters?.isNotCreatedYet(playersDb, port)) === true;
      overviews.push(overviewOfFile('playersDb', id, playersDb, id, isMissingYet));
    }
    for (const file of messagesFilesOf(server)) overviews.push(overviewOfFile('messages', id, file, id));
  }
  for (const { id, sources } of banlists) {
    for (const { file, filesOf } of sources) {
      // A ban file that was never there is an empty list.
      const isMissingYet = async (port: FilePort, report: Record<string, unknown> | null): Promise<boolean> =>
        !report?.['entries'] && (await isNotCreatedYet(file, port));
      overviews.push(overviewOfFile('bans', id, file, filesOf, isMissingYet));
    }
  }
  return (await Promise.all(overviews)).flat();
}

interface SourceAccess extends Pick<SourceOverview, 'place' | 'followed'> {
  /** Null: it is not to be asked. */
  port: FilePort | null;
}

async function overviewOfLogs(
  db: Pick<Database, 'selectFrom'>,
  {
    id,
    folder,
    place,
    followed,
    error: formerError,
    port,
    formats,
  }: Pick<SourceOverview, 'id' | 'error'> & SourceAccess & { folder: string; formats: LogFormats },
): Promise<SourceOverview[]> {
  if (port === null && followed === null) return [];
  const known = formats((await findOwnServer(db, id)).game);
  const holdsIdentities = (path: string): boolean => formatOf(known, basename(path))?.holds === 'identities';
  const read = await readLogFiles(db, id);
  const zoneProblem = await zoneProblemOf(db, id);
  const stale = new Set((await readStaleFiles(db, id)).map(({ path }) => path));
  let error = formerError;
  let found: FoundLog[] = [];
  try {
    found = port === null ? storedLogs(read.values()) : await listLogs(port, folder, fileNamesOf(known));
  } catch (cause) {
    if (fileErrorCode(cause) !== 'ESILENT' || error === null) error = fileProblem(cause);
  }
  return [false, true].flatMap((identities): SourceOverview[] => {
    const files = found.filter(({ path }) => holdsIdentities(path) === identities);
    const stored = [...read.values()].filter(({ path }) => holdsIdentities(path) === identities);
    if (identities && files.length === 0 && stored.length === 0) return [];
    const newest = files.reduce<FoundLog | undefined>(
      (latest, file) => (latest === undefined || isNewer(file, latest) ? file : latest),
      undefined,
    );
    const sum = (figures: number[]): number => figures.reduce((total, figure) => total + figure, 0);
    const logs: LogOverview = {
      files: files.length,
      lines: sum(stored.map(({ lines }) => lines)),
      unreadLines: sum(stored.map(({ unreadLines }) => unreadLines)),
      examples: [...new Set(stored.toReversed().flatMap(({ examples }) => examples))].slice(0, maxExamples),
      lastEventAt: latest(stored.map(({ lastEventAt }) => lastEventAt)),
      lagBytes: sum(files.map(({ path, size }) => Math.max(0, size - (read.get(path)?.position ?? 0)))),
      staleFiles: files.filter(({ path }) => stale.has(path)).length,
      missing: stored.flatMap(({ path, missing }) => missing.map((lines) => ({ path, ...lines }))),
      zoneProblem: identities ? null : zoneProblem,
      newest:
        newest === undefined
          ? null
          : { path: newest.path, size: newest.size, position: read.get(newest.path)?.position ?? 0 },
    };
    const kind = identities ? 'identities' : 'logs';
    return [{ kind, id, path: folder, place, followed, logs, size: null, report: null, readAt: null, error }];
  });
}

interface FoundLog {
  path: string;
  size: number;
  changedAt: number | null;
}

async function listLogs(port: FilePort, folder: string, matching: RegExp): Promise<FoundLog[]> {
  const entries = await port.list(folder, { matching, stat: 'all' });
  return entries.flatMap(({ name, stat }) =>
    stat === null ? [] : [{ path: port.path.join(folder, name), size: stat.size, changedAt: stat.changedAt }],
  );
}

/** As they were when they were read last. */
function storedLogs(files: Iterable<LogFile>): FoundLog[] {
  return Array.from(files, ({ path, stamp }) => ({
    path,
    size: sizeOfStamp(stamp),
    changedAt: timeOfStamp(stamp),
  }));
}

async function zoneProblemOf(db: Pick<Database, 'selectFrom'>, serverId: string): Promise<string | null> {
  const { latestHeader } = await runsOffZone(db, serverId);
  if (latestHeader === null) return null;
  const { timezone } = await findOwnServer(db, serverId);
  return `${offZoneProblem(latestHeader, timezone)}: ${offZoneRemedy}`;
}

function latest(moments: (number | null)[]): number | null {
  let found: number | null = null;
  for (const moment of moments) if (moment !== null && (found === null || moment > found)) found = moment;
  return found;
}

async function sizeOf(
  path: string,
  port: FilePort,
): Promise<{ size: number | null; error: string | null; code?: string | undefined }> {
  try {
    return { size: (await port.stat(path)).size, error: null };
  } catch (error) {
    return { size: null, error: fileProblem(error), code: fileErrorCode(error) };
  }
}
