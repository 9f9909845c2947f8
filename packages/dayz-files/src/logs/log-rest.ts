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
  /** The same of the last line that does not count, because another run has it and those before; null: all count. */
  from: string | null;
}

/**
 * The run of a rest: its lines have no dates, so the next header or the file's time says when it ended.
 * @param writtenAt when the file was changed last, epoch milliseconds
 * @param countedUntil up to when the lines of its file were counted before it lost its start, epoch milliseconds; null: none were
 */
export function runOfRest(
  rest: LogRest,
  zone: LocalZone,
  writtenAt: number,
  countedUntil: number | null,
): RestRun {
  const [written, toleranceMs] =
    rest.next === null ? [zone.localAt(writtenAt), fileToleranceMs] : [localOf(rest.next), jitterMs];
  const today = dayOf(written);
  // The last line may be of the evening before.
  const isYesterday = today + timeOfDayMs(rest.to) > written + toleranceMs;
  const firstDay = today - (rest.midnights + Number(isYesterday)) * dayMs;
  const first = firstDay + timeOfDayMs(rest.from);
  const [once, again = once] = zone.momentsOf(first);
  // A tool that keeps the end of a log leaves lines that were counted. In an hour that autumn repeats, all may be new.
  const from =
    countedUntil !== null && countedUntil > again + lineJitterMs ? textOf(zone.localAt(countedUntil)) : null;
  return { header: textOf(first), digest: rest.digest, from };
}

/** `2021-03-31 21:12:34` */
const textOf = (local: number): string => new Date(local).toISOString().slice(0, 19).replace('T', ' ');

/** The game's threads write lines out of order by some seconds. */
const lineJitterMs = 5_000;

/** Clocks of the game's machine and of its files may differ, but hardly by more than an hour of summer time. */
const fileToleranceMs = 3_600_000 + jitterMs;
