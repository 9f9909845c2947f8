/**
 * How old lines of a log were when they were read:
 * - `history`: of any age; it notifies no member
 * - `live`: the log grew by them while it was followed; a host may hand them over late
 * - `fresh`: written within the last seconds
 * - `misdated`: written within the last seconds as well, although their times say something else
 */
export type LogAge = 'history' | 'live' | 'fresh' | 'misdated';

/** How recent the information from a log is. */
export interface RosterAge {
  /** Up to when the log is known, epoch milliseconds by this machine's clock. */
  asOf: number;
  /** How often its source is polled, milliseconds. */
  pollEveryMs: number;
}

/** What a log has grown by since it was read to its end this lately is fresh. */
export const freshMs = 15_000;
/** Lines whose times differ by more than this are misdated: the config names another zone than that of the machine. */
const longestDelayMs = 25 * 60_000;
const clockToleranceMs = 60_000;

/** How old the latest lines of a followed log are. */
export function ageOfFollowed({
  lastEventAt,
  now,
  pollEveryMs,
  wasJustRead,
  isHistory,
}: {
  /** The time of its latest line, epoch milliseconds. */
  lastEventAt: number | null;
  now: number;
  pollEveryMs: number;
  /** Whether it had been read to its end within `freshMs`. */
  wasJustRead: boolean;
  /** Whether it was there before it was followed, and was not read to its end since. */
  isHistory: boolean;
}): { age: LogAge; rosterAge: RosterAge } {
  const lateMs = now - (lastEventAt ?? 0);
  const isMisdated = lateMs > longestDelayMs || lateMs < -clockToleranceMs;
  // What copies the log here may be late.
  const isFresh = pollEveryMs <= freshMs && wasJustRead;
  const age = isHistory ? 'history' : isFresh ? (isMisdated ? 'misdated' : 'fresh') : 'live';
  // Who is on is usually known up to its latest line, which some hosts hand over minutes late.
  const asOf = age === 'misdated' ? now : Math.min(lastEventAt ?? 0, now);
  return { age, rosterAge: { pollEveryMs, asOf } };
}
