import { createTask, parse } from 'node-cron';
import { createBoundedCache } from './bounded-cache.ts';
import { systemClock } from './clock.ts';

const tickMs = 1_000;
/** After the clock was set forward, moments in a longer gap are not searched: the expression is assumed to match. */
const longestGapSeconds = 3_600;
/** A clock that went back by no more than this is being slowed down, and soon reaches its earlier time again. */
const longestSlewSeconds = 5;

/**
 * Calls `work` at the moments of a cron expression, by the wall clock in the machine's zone; the result stops that.
 * node-cron parses the expression. Its own timer waits for one moment, and keeps waiting for it when the clock is set
 * back by a day, so the clock is read each second instead. Whatever the clock is set to, `work` is called at the
 * moments that follow. A moment that occurs twice counts twice, and one that summer time skips is as much later as clocks go
 * forward.
 */
export function onCron(expression: string, work: () => void, now = systemClock.now): () => void {
  const isDue = momentsOf(expression);
  const secondOf = (): number => Math.floor(now() / 1000);
  let checked = secondOf();

  const tick = (): void => {
    const current = secondOf();
    if (current <= checked && checked - current <= longestSlewSeconds) return;
    const first = current < checked ? current : checked + 1;
    checked = current;
    if (current - first >= longestGapSeconds) return work();
    for (let second = first; second <= current; second += 1) if (isDue(second)) return work();
  };
  const timer = setInterval(tick, tickMs);
  return () => clearInterval(timer);
}

/**
 * The last moment of an expression up to `now`, in the machine's zone; epoch milliseconds. Null: there was none today, nor in
 * so many days before.
 */
export function lastMoment(expression: string, now: number, days: number): number | null {
  const isDue = momentsOf(expression);
  const fields = parse(expression);
  const [hours, minutes, seconds] = [fields.hour, fields.minute, fields.second].map((values) =>
    values.toSorted((one, other) => other - one),
  ) as [number[], number[], number[]];
  const today = new Date(now);

  function lastOf(day: Date): number | null {
    for (const hour of hours) {
      for (const minute of minutes) {
        for (const second of seconds) {
          const at = new Date(day).setHours(hour, minute, second);
          if (at > now) continue;
          if (isDue(at / 1000)) return at;
          // The day is none of the expression's.
          return null;
        }
      }
    }
    return null;
  }

  for (let back = 0; back <= days; back += 1) {
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back);
    const last = lastOf(day);
    if (last !== null) return last;
  }
  return null;
}

/** Whether a second, since 1970, is a moment of an expression. */
type IsDue = (second: number) => boolean;

/** By expression. A thousand posts with the same one ask at the same second, and each answer takes a tenth of a millisecond. */
const moments = createBoundedCache<IsDue>(1_000);

function momentsOf(expression: string): IsDue {
  const shared = moments.get(expression) ?? createMoments(expression);
  moments.set(expression, shared);
  return shared;
}

function createMoments(expression: string): IsDue {
  const task = createTask(expression, () => undefined);
  const utc = createTask(expression, () => undefined, { timezone: 'UTC' });
  // node-cron keeps a list of its tasks. These are never started, and only match.
  for (const each of [task, utc]) void each.destroy();
  const isMatch = (at: Date): boolean => {
    const skipped = skippedTime(at);
    return task.match(at) || (skipped !== null && utc.match(skipped));
  };
  const seconds = new Set(parse(expression).second);
  let latest = { second: NaN, isDue: false };
  return (second) => {
    if (!seconds.has(second % 60)) return false;
    if (latest.second !== second) latest = { second, isDue: isMatch(new Date(second * 1000)) };
    return latest.isDue;
  };
}

/** The local time, as if of UTC, that clocks skipped when they went forward to this one; null: they did not. */
function skippedTime(at: Date): Date | null {
  const offsetBefore = (minutes: number) => new Date(at.getTime() - minutes * 60_000).getTimezoneOffset();
  const skippedMinutes = offsetBefore(60) - offsetBefore(0);
  if (skippedMinutes <= 0 || offsetBefore(skippedMinutes) === offsetBefore(0)) return null;
  return new Date(at.getTime() - (offsetBefore(0) + skippedMinutes) * 60_000);
}
