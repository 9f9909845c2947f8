import type { ServerConfig } from '../../config/schema.ts';
import { logFormats } from '../../server/games/index.ts';
import type { FilePort } from '../../server/ingest/files/file-port.ts';
import { isNewer } from '../../server/ingest/logs/folder-listing.ts';
import { LocalZone } from '../../server/ingest/logs/local-clock.ts';
import { fileNamesOf, formatOf, type LogFormat } from '../../server/ingest/logs/log-format.ts';

/** The newest log of a server, as far as it says whether the server writes it now and by which clock. */
export interface LogLife {
  name: string;
  /** Epoch milliseconds. */
  changedAt: number;
  /** Bytes. */
  size: number;
  /** The moment of its last line by the configured zone; only the time of day is sure. Null: not read. */
  lastLineAt: number | null;
  /** The log of identities that was started last, and when by its name, in the configured zone. */
  latestStart: { name: string; at: number } | null;
}

/** The clock of an older log says nothing: it may be a copy. */
const liveMs = 30 * 60_000;
const dayMs = 86_400_000;
/** A header is at the start, and lines are short. */
const partBytes = 64 * 1024;
const lineFeed = 0x0a;

/** Null: there is no log, or it is unknown when it was changed. */
export async function readLogLife(
  { game, logs: folder, timezone }: ServerConfig,
  port: FilePort,
  now: number,
): Promise<LogLife | null> {
  if (folder === undefined) return null;
  const formats = logFormats(game);
  const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
  const zone = new LocalZone(timezone);
  let newest: { name: string; path: string; changedAt: number | null; size: number } | null = null;
  let latestStart: LogLife['latestStart'] = null;
  for (const { name, stat } of entries) {
    if (stat === null) continue;
    const file = { name, path: name, changedAt: stat.changedAt, size: stat.size };
    const holds = formatOf(formats, name)?.holds;
    if (holds === 'runs' && (newest === null || isNewer(file, newest))) newest = file;
    const at = holds === 'identities' ? startOf(name, zone) : null;
    if (at !== null && at > (latestStart?.at ?? 0)) latestStart = { name, at };
  }
  if (newest === null || newest.changedAt === null) return null;
  const { name, changedAt, size } = newest;
  const format = formatOf(formats, name);
  // An hour that autumn repeats could be either of two.
  const isClear = !zone.changesAbout(Math.floor(changedAt / dayMs) * dayMs);
  const isLive = Math.abs(now - changedAt) < liveMs && isClear;
  const lastLineAt =
    isLive && format !== null && format !== undefined
      ? await lastLine(port, port.path.join(folder, name), size, format, zone)
      : null;
  return { name, changedAt, size, lastLineAt, latestStart };
}

/** `DayZServer_x64_2024-11-04_12-00-09.RPT` */
const dated = /_(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)-(\d\d)\./;

function startOf(name: string, zone: LocalZone): number | null {
  const [, ...parts] = dated.exec(name) ?? [];
  if (parts.length === 0) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
  return zone.momentsOf(Date.UTC(year, month - 1, day), ((hours * 60 + minutes) * 60 + seconds) * 1000)[0];
}

/** Reads the header and the last lines of a log. */
async function lastLine(
  port: FilePort,
  path: string,
  size: number,
  format: LogFormat,
  zone: LocalZone,
): Promise<number | null> {
  const { parts } = await port.read(path, [
    { offset: 0, length: partBytes },
    ...(size > partBytes ? [{ offset: Math.max(partBytes, size - partBytes), length: partBytes }] : []),
  ]);
  const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = parts;
  const reader = format.open({ zone, state: null });
  for (const bytes of [wholeLines(head), wholeLines(tail.subarray(tail.indexOf(lineFeed) + 1))]) {
    // The events are not needed, but reading them moves the reader's clock.
    if (bytes.length > 0) Array.from(reader.read({ bytes, lines: true, unfinished: false }));
  }
  return reader.lastEventAt;
}

const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
