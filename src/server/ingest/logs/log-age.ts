import type { RosterAge } from '../../store/repositories/logs/rosters.ts';
import type { FollowContext } from './follow-context.ts';

/**
 * What a log has grown by since it was read to its end this lately was written just now. If its clock says something else
 * than the delay of a host explains, the config names another zone than that of the machine.
 */
export const justNowMs = 15_000;
const longestDelayMs = 25 * 60_000;
const clockToleranceMs = 60_000;

type Context = Pick<FollowContext, 'port' | 'now'>;

/** Whether the latest lines of a log came just now, though what copies it here may be late. */
export const isFresh = ({ port }: Pick<Context, 'port'>, wasJustRead: boolean): boolean =>
  port.pollEveryMs <= justNowMs && wasJustRead;

/** Whether the latest lines of a log were written just now, although their times say something else. */
export function isJustNow(context: Context, lastEventAt: number | null, wasJustRead: boolean): boolean {
  const lateMs = context.now() - (lastEventAt ?? 0);
  const isOffZone = lateMs > longestDelayMs || lateMs < -clockToleranceMs;
  return isOffZone && isFresh(context, wasJustRead);
}

/** Up to when the log says who is on: usually its latest line, which some hosts hand over minutes late. */
export function rosterAge(context: Context, lastEventAt: number | null, wasJustRead: boolean): RosterAge {
  const now = context.now();
  const asOf = isJustNow(context, lastEventAt, wasJustRead) ? now : Math.min(lastEventAt ?? 0, now);
  return { pollEveryMs: context.port.pollEveryMs, asOf };
}
