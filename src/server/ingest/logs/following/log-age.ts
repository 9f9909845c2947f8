import type { FollowContext } from './follow-context.ts';
import type { ReadPart } from '../writing/read-parts.ts';

/**
 * What a log has grown by since it was read to its end this lately was written just now. If its clock says something else
 * than the delay of a host explains, the config names another zone than that of the machine.
 */
export const justNowMs = 15_000;
const longestDelayMs = 25 * 60_000;
const clockToleranceMs = 60_000;

/** How old the latest lines of a log are. @param wasJustRead whether the log had been read to its end just before */
export function ageOf(
  { port: { pollEveryMs }, now }: Pick<FollowContext, 'port' | 'now'>,
  lastEventAt: number | null,
  wasJustRead: boolean,
): Required<Pick<ReadPart, 'isFresh' | 'isJustNow' | 'rosterAge'>> {
  const lateMs = now() - (lastEventAt ?? 0);
  const isOffZone = lateMs > longestDelayMs || lateMs < -clockToleranceMs;
  // What copies the log here may be late.
  const isFresh = pollEveryMs <= justNowMs && wasJustRead;
  const isJustNow = isOffZone && isFresh;
  // Who is on is usually known up to its latest line, which some hosts hand over minutes late.
  const asOf = isJustNow ? now() : Math.min(lastEventAt ?? 0, now());
  return { isFresh, isJustNow, rosterAge: { pollEveryMs, asOf } };
}
