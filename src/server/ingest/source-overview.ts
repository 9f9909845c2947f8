import { basename } from 'node:path';
import { type FilePort, type Place, placeName } from 'game-files';
import { type LogFile, readLogFiles } from '../store/repositories/logs/log-files.ts';
import type { Database } from '../store/engine/database.ts';
import { latestHeader } from '../store/repositories/logs/run-copies.ts';
import { placedFile } from '../store/repositories/projects/placed-file.ts';
import { findOwnServer } from '../store/repositories/projects/servers.ts';
import { readSourceStates } from '../store/repositories/logs/source-states.ts';
import { isNotCreatedYet } from './bans/read-file.ts';
import { logFormatsOf } from '../games/index.ts';
import { factsOf, usualGameType } from '../games/table.ts';
import { isMissionNotStarted } from './players/read-players-db.ts';
import { fileErrorCode, fileProblem } from '../files/errors.ts';
import { followedSource } from './follower/followed-sources.ts';
import type { SourceKind } from './follower/polled-source.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { isNewer } from './logs/reading/folder-listing.ts';
import { fileNamesOf, formatOf } from 'dayz-files';
import { sizeOfStamp, timeOfStamp } from './logs/reading/log-stamp.ts';
import { offZoneProblem, offZoneRemedy } from './logs/reading/off-zone-logs.ts';
import { joinKinds, type UnreadKind } from './logs/reading/unread-kinds.ts';
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
  /** Those lines by their kind, most lines first. */
  unreadKinds: readonly UnreadKind[];
  /** The latest moment that a line names, epoch milliseconds. */
  lastEventAt: number | null;
  /** What the files hold and was not read (yet): a line that has not ended is. */
  lagBytes: number;
  /** What is wrong with the zone that the config names, and what to do; null: nothing is known. */
  zoneProblem: string | null;
  /** The file that is being written, or was last. */
  newest: { path: string; position: number; size: number } | null;
}

/**
 * Every source that the config names, in its order. One that does not answer is listed with that as its error.
 * @param files null: only the sources that a running service follows at other hosts
 */
export async function overviewOfSources(
  db: Reader,
  { servers, banlists, places }: Sources,
  files: SourceFiles | null,
): Promise<SourceOverview[]> {
  const states = await readSourceStates(db);
  const stateOf = (kind: string, id: string, path: string): SourceState =>
    states.find((state) => state.kind === kind && state.owner_id === id && state.path === path) ?? {};
  const sourceAt = (
    kind: SourceKind,
    id: string,
    file: string,
    serverId: string | undefined,
  ): NamedSource => {
    const place = serverId === undefined ? undefined : places?.get(serverId);
    const path = kind === 'bans' ? placedFile(file, serverId) : file;
    const followed = place ? followedSource(states, { kind, id, path, place }, Date.now()) : null;
    const own = followed === null ? files?.of(serverId).of(JSON.stringify([kind, id, file, serverId])) : null;
    return {
      named: {
        kind,
        id,
        path,
        place: place ? { type: place.type, name: placeName(place) } : null,
        followed,
      },
      file,
      port: own ?? null,
      state: stateOf(kind, id, path),
    };
  };
  const overviews: Promise<SourceOverview[]>[] = [];
  for (const server of servers) {
    const { id, game = usualGameType, logs, playersDb } = server;
    if (logs !== undefined) overviews.push(overviewOfLogs(db, sourceAt('logs', id, logs, id)));
    if (playersDb !== undefined) {
      // A server that was never started has no characters.
      const isMissingYet: IsMissingYet = async (port, report) =>
        report === null &&
        factsOf(game)?.characterFile !== undefined &&
        (await isMissionNotStarted(playersDb, port));
      overviews.push(overviewOfFile(sourceAt('playersDb', id, playersDb, id), isMissingYet));
    }
    for (const file of messagesFilesOf(server))
      overviews.push(overviewOfFile(sourceAt('messages', id, file, id)));
  }
  for (const { id, sources } of banlists) {
    for (const { file, filesOf } of sources) {
      // A ban file that was never there is an empty list.
      const isMissingYet: IsMissingYet = async (port, report) =>
        !report?.['entries'] && (await isNotCreatedYet(file, port));
      overviews.push(overviewOfFile(sourceAt('bans', id, file, filesOf), isMissingYet));
    }
  }
  return (await Promise.all(overviews)).flat();
}

type Reader = Pick<Database, 'selectFrom'>;
type SourceState = Partial<Awaited<ReturnType<typeof readSourceStates>>[number]>;

/** A source of the config, and what is stored of it. */
interface NamedSource {
  named: Pick<SourceOverview, 'kind' | 'id' | 'path' | 'place' | 'followed'>;
  /** The path where it lies. */
  file: string;
  /** Null: it is not to be asked itself. */
  port: FilePort | null;
  state: SourceState;
}

type IsMissingYet = (port: FilePort, report: SourceOverview['report']) => Promise<boolean>;

async function overviewOfFile(
  { named, file, port, state }: NamedSource,
  isMissingYet?: IsMissingYet,
): Promise<SourceOverview[]> {
  if (port === null && named.followed === null) return [];
  const { read_at: readAt = null, error: stored = null } = state;
  const report = state.report ? (JSON.parse(state.report) as Record<string, unknown>) : null;
  let size: number | null = null;
  let error: string | null = null;
  try {
    size = port === null ? null : (await port.stat(file)).size;
  } catch (cause) {
    const code = fileErrorCode(cause);
    const isNotMissed =
      code === 'ENOENT' && stored === null && port !== null && (await isMissingYet?.(port, report)) === true;
    if (!isNotMissed) error = fileProblem(cause);
  }
  return [{ ...named, logs: null, size, report, readAt, error: error ?? stored }];
}

/** One for the logs that are counted, and one for those with identities if there are any. */
async function overviewOfLogs(
  db: Reader,
  { named, file: folder, port, state }: NamedSource,
): Promise<SourceOverview[]> {
  if (port === null && named.followed === null) return [];
  const { id } = named;
  const { game, timezone } = await findOwnServer(db, id);
  const known = logFormatsOf(game);
  const holdsIdentities = ({ path }: { path: string }): boolean =>
    formatOf(known, basename(path))?.holds === 'identities';
  const read = await readLogFiles(db, id);
  const offZone = await latestHeader(db, id, { isOffZone: true });
  const zoneProblem = offZone && `${offZoneProblem(offZone, timezone)}: ${offZoneRemedy}`;
  let { error = null } = state;
  let found: FoundLog[] = [];
  try {
    found = port === null ? storedLogs(read.values()) : await listLogs(port, folder, fileNamesOf(known));
  } catch (cause) {
    error = fileProblem(cause);
  }
  return [false, true].flatMap((identities): SourceOverview[] => {
    const files = found.filter((file) => holdsIdentities(file) === identities);
    const stored = [...read.values()].filter((file) => holdsIdentities(file) === identities);
    if (identities && files.length === 0 && stored.length === 0) return [];
    const [first, ...others] = files;
    const newest = first && others.reduce((latest, file) => (isNewer(file, latest) ? file : latest), first);
    const positionOf = (path: string): number => read.get(path)?.position ?? 0;
    const sum = (figures: number[]): number => figures.reduce((total, figure) => total + figure, 0);
    const moments = stored.flatMap(({ lastEventAt }) => lastEventAt ?? []);
    const logs: LogOverview = {
      files: files.length,
      lines: sum(stored.map(({ lines }) => lines)),
      unreadLines: sum(stored.map(({ unreadLines }) => unreadLines)),
      unreadKinds: joinKinds(stored.flatMap(({ unreadKinds }) => unreadKinds)),
      lastEventAt: moments.toSorted((a, b) => b - a)[0] ?? null,
      lagBytes: sum(files.map(({ path, size }) => Math.max(0, size - positionOf(path)))),
      zoneProblem: identities ? null : zoneProblem,
      newest: newest ? { path: newest.path, size: newest.size, position: positionOf(newest.path) } : null,
    };
    const kind = identities ? 'identities' : 'logs';
    return [{ ...named, kind, logs, size: null, report: null, readAt: null, error }];
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
