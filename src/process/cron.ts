import { createTask, parse, schedule } from 'node-cron';
import { createBoundedCache } from './bounded-cache.ts';

/** Calls `work` at the moments of a cron expression, in the machine's zone; the result stops that. */
export function onCron(expression: string, work: () => void): () => void {
  const task = schedule(expression, () => work());
  return () => void task.destroy();
}

/**
 * The last moment of an expression up to `now`, in the machine's zone; epoch milliseconds. Null: there was none today, nor in
 * so many days before.
 */
export function lastMoment(expression: string, now: number, days: number): number | null {
  const isDue = matcherOf(expression);
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
          const asUtc = new Date(
            Date.UTC(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute, second),
          );
          // Otherwise the day is none of the expression's.
          return isDue(asUtc) ? at : null;
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

type Matcher = (at: Date) => boolean;

/**
 * By expression: recaps ask with each run. A moment is given as if it were of UTC, so that a time that clocks skip when summer
 * begins matches, too.
 */
const matchers = createBoundedCache<Matcher>(1_000);

function matcherOf(expression: string): Matcher {
  const known = matchers.get(expression);
  if (known !== undefined) return known;
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  // node-cron keeps a list of its tasks. This one is never started, and only matches.
  void task.destroy();
  const matcher: Matcher = (at) => task.match(at);
  matchers.set(expression, matcher);
  return matcher;
}
