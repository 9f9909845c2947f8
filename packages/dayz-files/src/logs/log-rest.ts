import { dayMs, dayOf, jitterMs, localOf, timeOfDayMs } from './local-time.ts';
import type { LocalZone } from './local-zone.ts';

/** A log without a header: a tool has cut the log while the game was writing it. */
export interface LogRest {
  /** The times of its first and last line, `12:00:00`, by the clock of the log. */
  from: string;
  to: string;
  /** How many midnights are between them. */
  midnights: number;
  /** The header after it in its file, `2021-03-31 21:12:34`; null: there is none. */
  next: string | null;
  /** CRC-32 of its first line that names a player, hex. Copies of it start with the same line. */
  digest: string;
}

/** The run that a rest is counted as. */
export interface RestRun extends Pick<LogRest, 'digest'> {
  /** Local date and time of its first line, `2021-03-31 21:12:34`. */
  header: string;
  /** Only lines after this local time count, as another run has those before; null: all count. */
  countsAfter: string | null;
}

/**
 * The run of a rest. Its lines have no dates, so it is dated from its end: the next header or the file's time. A rest of 23:50
 * to 00:10 has passed one midnight. If its file was written on May 2 at 00:11, it began on May 1 at 23:50.
 * @param writtenAt when the file was changed last, epoch milliseconds
 * @param countedUntil up to when the lines of its file were counted before it lost its start, epoch milliseconds; null: none were
 */
export function runOfRest(
  rest: LogRest,
  zone: LocalZone,
  writtenAt: number,
  countedUntil: number | null,
): RestRun {
  const [endedBy, toleranceMs] =
    rest.next === null ? [zone.localAt(writtenAt), fileToleranceMs] : [localOf(rest.next), jitterMs];
  const lastDay = dayOf(endedBy);
  // A last line of 23:50 in a file that was written at 00:11 is of the evening before.
  const isDayBefore = lastDay + timeOfDayMs(rest.to) > endedBy + toleranceMs;
  const firstDay = lastDay - (rest.midnights + Number(isDayBefore)) * dayMs;
  const first = firstDay + timeOfDayMs(rest.from);
  // In an hour that autumn repeats, the later moment: all lines may be new.
  const [moment, repeated] = zone.momentsOf(first);
  const startedAt = repeated ?? moment;
  // A tool that keeps the end of a log leaves lines that were counted.
  const isPartlyCounted = countedUntil !== null && countedUntil > startedAt + lineJitterMs;
  const countsAfter = isPartlyCounted ? textOf(zone.localAt(countedUntil)) : null;
  return { header: textOf(first), digest: rest.digest, countsAfter };
}

/** `2021-03-31 21:12:34` */
const textOf = (local: number): string => new Date(local).toISOString().slice(0, 19).replace('T', ' ');

/** The usual disorder of lines. By `jitterMs`, which covers the worst, minutes of lines could count twice. */
const lineJitterMs = 5_000;

/** Clocks of the game's machine and of its files may differ, but hardly by more than an hour of summer time. */
const fileToleranceMs = 3_600_000 + jitterMs;
