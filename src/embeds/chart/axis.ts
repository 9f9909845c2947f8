import { DateTime } from 'luxon';

interface Tick {
  at: number;
  label: string;
}

/** Charts over time: their spans, and the steps whose means they show. A step is a pixel or two wide. */
export const ranges = {
  '24h': { spanMs: 24 * 3_600_000, stepMs: 5 * 60_000, title: 'chart.day' },
  '7d': { spanMs: 7 * 24 * 3_600_000, stepMs: 30 * 60_000, title: 'chart.week' },
} as const;

export type ChartRange = keyof typeof ranges;

/** What a chart of players shows: the last day or seven days, or `week`: four weeks, averaged by weekday and hour. */
export type ChartKind = ChartRange | 'week';

/** Round steps for the value axis. */
const valueSteps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000];
const mostValueTicks = 5;

/** Values from 0 to the first one at or above `highest`, in round steps. */
export function valueTicks(highest: number): number[] {
  const wanted = Math.max(highest, 4);
  const step = valueSteps.find((candidate) => wanted / candidate <= mostValueTicks) ?? valueSteps.at(-1)!;
  const count = Math.ceil(wanted / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const ticksOfDay = [0, 4, 8, 12, 16, 20];

/**
 * Round local times between `from` and `to`: every fourth hour for a day, the start of each day for a week. Days of 23 and
 * 25 hours keep their local times.
 */
export function timeTicks(
  range: ChartRange,
  { from, to }: { from: number; to: number },
  { locale, timezone }: { locale: string; timezone: string },
): Tick[] {
  const hours = range === '24h' ? ticksOfDay : [0];
  const format: Intl.DateTimeFormatOptions =
    range === '24h' ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { weekday: 'short' };
  const ticks: Tick[] = [];
  const firstDay = DateTime.fromMillis(from, { zone: timezone, locale }).startOf('day');
  for (let day = firstDay; day.toMillis() <= to; day = day.plus({ days: 1 }).startOf('day')) {
    for (const hour of hours) {
      const moment = hour === 0 ? day : day.set({ hour });
      const at = moment.toMillis();
      if (at >= from && at <= to) ticks.push({ at, label: moment.toLocaleString(format) });
    }
  }
  return ticks;
}
