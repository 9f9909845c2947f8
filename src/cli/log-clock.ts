import { setTimeout as sleep } from 'node:timers/promises';
import { placeKinds } from '../config/schema/files.ts';
import type { FilePort } from '../server/files/file-port.ts';
import type { Place } from '../server/files/remote/place.ts';
import { LocalZone } from '../server/ingest/logs/formats/local-clock.ts';
import type { LogFormat } from '../server/ingest/logs/formats/log-format.ts';
import type { DatedLog } from './console-logs.ts';

export { newestLogs } from './console-logs.ts';

/** What a log shows of the clock of the machine that writes it. */
export interface LogClock {
  /** How much the clock is ahead of UTC, a multiple of 15 minutes. */
  offsetMs: number;
  /** When it was so, epoch milliseconds. */
  at: number;
  /** `growth`: the log grew while it was watched. `file time`: its last line is of the minute in which it changed. */
  by: 'growth' | 'file time';
}

export interface ClockOptions {
  /** Where the log is; null or left out: on this machine. */
  place?: Pick<Place, 'type'> | null | undefined;
  /** For how long the log is watched where the file's time does not show the clock. */
  watchMs: number;
  onWatch?: () => void;
  now: () => number;
}

const minuteMs = 60_000;
/** Offsets of zones are multiples of 15 minutes. */
const stepMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const earliestMs = -12 * 60 * minuteMs;
const latestMs = 14 * 60 * minuteMs;
/** The clocks of two machines may differ by this much. */
const skewMs = 5 * minuteMs;
/** A header is at the start, and lines are short. */
const partBytes = 64 * 1024;
const lineFeed = 0x0a;

/**
 * The clock by which a log is written; null: the log does not show it. The time of a copy says nothing, so the last line
 * has to be of the minute in which the file changed, date included, or a line has to appear while the log is watched.
 */
export async function readLogClock(
  port: FilePort,
  folder: string,
  { name, format, size: sizeAtFirst, changedAt }: DatedLog,
  { place, watchMs, onWatch, now }: ClockOptions,
): Promise<LogClock | null> {
  const path = port.path.join(folder, name);
  let size = sizeAtFirst;
  const last = await lastLineOf(port, path, size, format);
  if (last === null) return null;
  if (changedAt !== null && !(place && placeKinds[place.type].hasLocalTimes)) {
    const offsetMs = offsetBetween(last, changedAt, minuteMs);
    if (offsetMs !== null) return { offsetMs, at: changedAt, by: 'file time' };
  }
  if (watchMs >= port.pollEveryMs) onWatch?.();
  for (let leftMs = watchMs; leftMs >= port.pollEveryMs; leftMs -= port.pollEveryMs) {
    await sleep(port.pollEveryMs);
    const stat = await port.stat(path);
    if (stat.size <= size) continue;
    size = stat.size;
    const added = await lastLineOf(port, path, size, format);
    if (added === null || added === last) continue;
    const at = now();
    // A log of several days does not show its date.
    const shown = offsetBetween(added, at, skewMs) ?? offsetBetween(sameDay(added, at), at, skewMs);
    return shown === null ? null : { offsetMs: shown, at, by: 'growth' };
  }
  return null;
}

/** @param local the time that a clock shows, as if it were UTC */
function offsetBetween(local: number, at: number, toleratedMs: number): number | null {
  // Never -0.
  const offsetMs = Math.round((local - at) / stepMs) * stepMs || 0;
  const isZone = offsetMs >= earliestMs && offsetMs <= latestMs;
  return isZone && Math.abs(local - at - offsetMs) <= toleratedMs ? offsetMs : null;
}

/** The same time of day within half a day. */
const sameDay = (local: number, at: number): number => local - Math.round((local - at) / dayMs) * dayMs;

/** The time of the last whole line as if it were UTC; null: there is none. */
async function lastLineOf(
  port: FilePort,
  path: string,
  size: number,
  format: LogFormat,
): Promise<number | null> {
  const { parts } = await port.read(path, [
    { offset: 0, length: partBytes },
    ...(size > partBytes ? [{ offset: Math.max(partBytes, size - partBytes), length: partBytes }] : []),
  ]);
  const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = parts;
  const reader = format.open({ zone: new LocalZone('UTC'), state: null });
  for (const bytes of [wholeLines(head), wholeLines(tail.subarray(tail.indexOf(lineFeed) + 1))]) {
    // The events are not needed, but reading them moves the reader's clock.
    if (bytes.length > 0) reader.read({ bytes, lines: true, unfinished: false }, () => undefined);
  }
  return reader.lastEventAt;
}

const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
