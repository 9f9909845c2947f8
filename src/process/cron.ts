import { createTask, parse, schedule } from 'node-cron';

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
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  // node-cron keeps a list of its tasks. This one is never started, and only matches.
  void task.destroy();
  const fields = parse(expression);
  const today = new Date(now);
  for (let back = 0; back <= days; back += 1) {
    const date = [today.getFullYear(), today.getMonth(), today.getDate() - back] as const;
    for (const time of timesOf(fields)) {
      const at = new Date(...date, ...time).getTime();
      if (at > now) continue;
      // As if it were of UTC, so that a time that clocks skip when summer begins matches, too.
      if (task.match(new Date(Date.UTC(...date, ...time)))) return at;
      // The day is none of the expression's.
      break;
    }
  }
  return null;
}

/** The times of day of an expression, the latest first. */
function* timesOf(fields: ReturnType<typeof parse>): Generator<readonly [number, number, number]> {
  const latestFirst = (values: readonly number[]) => values.toSorted((one, other) => other - one);
  for (const hour of latestFirst(fields.hour))
    for (const minute of latestFirst(fields.minute))
      for (const second of latestFirst(fields.second)) yield [hour, minute, second];
}
