import { basename } from 'node:path';
import { formatOf } from 'dayz-files';
import { type Place, placeName } from 'game-files';
import { logFormatsOf } from '../games/index.ts';
import type { Reader } from '../store/engine/database.ts';
import { type LogFile, readLogFiles } from '../store/repositories/logs/log-files.ts';
import { findOffZoneRun } from '../store/repositories/logs/run-copies.ts';
import { readSourceStates } from '../store/repositories/logs/source-states.ts';
import { findOwnServer } from '../store/repositories/projects/servers.ts';
import type { SourceKind, Sources } from './follower/sources.ts';
import { isNewer } from './logs/reading/folder-listing.ts';
import { timeOfStamp } from './logs/reading/log-stamp.ts';
import { joinKinds, type UnreadKind } from './logs/reading/unread-kinds.ts';

/**
 * A source of the config, and what the store says of it. The files themselves are not asked: many hosts allow one connection,
 * which a running service has. Fields that are null are unknown, or have no meaning for that kind.
 */
export interface SourceOverview {
  /** `identities`: those files of a `logs` source that hold identifiers of players, and no runs. */
  kind: SourceKind | 'identities';
  /** Of the server or ban list. */
  id: string;
  path: string;
  /** Where it lies; null: on this machine. */
  place: { type: Place['type']; name: string } | null;
  logs: LogOverview | null;
  /** What the last reading said, of other files than logs, and when that was, epoch milliseconds. */
  report: Record<string, unknown> | null;
  readAt: number | null;
  /** Why it could not be read when it was tried last. */
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
  /** What is wrong with the zone that the config names, and what to do; null: nothing is known. */
  zoneProblem: string | null;
  /** The file that was changed last, and how many bytes of it were read. */
  newest: { path: string; position: number } | null;
}

/** Every source that the config names, in its order. */
export async function overviewOfSources(db: Reader, { files }: Sources): Promise<SourceOverview[]> {
  const states = await readSourceStates(db);
  const overviews: SourceOverview[] = [];
  for (const { kind, id, path, place } of files) {
    const state = states.find((one) => one.kind === kind && one.owner_id === id && one.path === path);
    const overview: SourceOverview = {
      kind,
      id,
      path,
      place: place ? { type: place.type, name: placeName(place) } : null,
      logs: null,
      report: state?.report ? (JSON.parse(state.report) as Record<string, unknown>) : null,
      readAt: state?.read_at ?? null,
      error: state?.error ?? null,
    };
    if (kind === 'logs') overviews.push(...(await overviewsOfLogs(db, overview)));
    else overviews.push(overview);
  }
  return overviews;
}

/** One for the logs that are counted, and one for those with identities if some were read. */
async function overviewsOfLogs(db: Reader, source: SourceOverview): Promise<SourceOverview[]> {
  const { game } = await findOwnServer(db, source.id);
  const formats = logFormatsOf(game);
  const files = [...(await readLogFiles(db, source.id)).values()];
  const holdsIdentities = ({ path }: LogFile): boolean =>
    formatOf(formats, basename(path))?.holds === 'identities';
  const counted = files.filter((file) => !holdsIdentities(file));
  const identities = files.filter(holdsIdentities);
  const zoneProblem = (await findZoneProblem(db, source.id))?.join(': ') ?? null;
  const ofCounted = { ...source, logs: summaryOf(counted, zoneProblem) };
  if (identities.length === 0) return [ofCounted];
  return [ofCounted, { ...source, kind: 'identities', logs: summaryOf(identities, null) }];
}

function summaryOf(files: readonly LogFile[], zoneProblem: string | null): LogOverview {
  const sum = (figures: number[]): number => figures.reduce((total, figure) => total + figure, 0);
  const [newest] = files
    .map(({ path, position, stamp }) => ({ path, position, changedAt: timeOfStamp(stamp) }))
    .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
  return {
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    unreadLines: sum(files.map(({ unreadLines }) => unreadLines)),
    unreadKinds: joinKinds(files.flatMap(({ unreadKinds }) => unreadKinds)),
    lastEventAt: files.flatMap(({ lastEventAt }) => lastEventAt ?? []).toSorted((a, b) => b - a)[0] ?? null,
    newest: newest ? { path: newest.path, position: newest.position } : null,
    zoneProblem,
  };
}

/** What a server's logs say against the time zone with which they were read, and what to do; null: nothing. */
export async function findZoneProblem(
  db: Reader,
  serverId: string,
): Promise<[found: string, next: string] | null> {
  const run = await findOffZoneRun(db, serverId);
  if (run === undefined) return null;
  const { header, timezone } = run;
  const start = header.replace(' ', ' at ');
  return [
    `the log that started on ${start} shows that the clock of the game's machine is not in ${timezone}`,
    'set timezone to the zone of that clock (often UTC, or that of its country); times of players are wrong by the difference until then',
  ];
}
