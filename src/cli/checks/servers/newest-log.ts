import type { ServerConfig } from '../../../config/schema.ts';
import { logFormats } from '../../../server/games/index.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import { LocalZone } from '../../../server/ingest/logs/formats/local-clock.ts';
import { localStartInName } from '../../../server/ingest/logs/reading/folder-listing.ts';
import { fileNamesOf, formatOf } from '../../../server/ingest/logs/formats/log-format.ts';
import { newestLogs, readLogClock, type LogClock } from '../../log-clock.ts';

/** The newest log of a server, as far as it says whether the server writes it now and by which clock. */
export interface NewestLog {
  name: string;
  /** Epoch milliseconds. */
  changedAt: number;
  /** Bytes. */
  size: number;
  /** The clock by which it is written; null: it does not show it. */
  clock: LogClock | null;
  /** Another log that names its start: the one that was started last, and when, in the configured zone. */
  latestStart: { name: string; at: number } | null;
}

/** The clock of an older log says nothing: it may be a copy. */
const liveMs = 30 * 60_000;
/** Of a log whose time does not show its clock. */
const watchMs = 5_000;

const dayMs = 24 * 60 * 60_000;

/** Whether a provider limits requests: it lets its files be polled seldom. */
export const isSeldomPolled = ({ pollEveryMs }: FilePort): boolean => pollEveryMs >= 60_000;

/** Null: there is no log, or it is unknown when it was changed. */
export async function readNewestLog(
  { game, logs: folder, timezone, files: place }: ServerConfig,
  port: FilePort,
  now: () => number,
): Promise<NewestLog | null> {
  if (folder === undefined) return null;
  const formats = logFormats(game);
  const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
  const zone = new LocalZone(timezone);
  let latestStart: NewestLog['latestStart'] = null;
  for (const { name } of entries) {
    const local = formatOf(formats, name)?.holds === 'identities' ? localStartInName(name) : null;
    if (local === null) continue;
    const [at] = zone.momentsOf(local - (local % dayMs), local % dayMs);
    if (at > (latestStart?.at ?? 0)) latestStart = { name, at };
  }
  const [newest] = newestLogs(entries, formats);
  if (newest === undefined || newest.changedAt === null) return null;
  const { name, changedAt, size } = newest;
  const isLive = Math.abs(now() - changedAt) < liveMs;
  const clock = isLive ? await readLogClock(port, folder, newest, { place, watchMs, now }) : null;
  return { name, changedAt, size, clock, latestStart };
}
