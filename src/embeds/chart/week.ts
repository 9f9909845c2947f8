import { IANAZone } from 'luxon';
import type { Language } from '../../locales/language.ts';
import { weekdayTime } from '../format.ts';
import type { HistoryBucket } from './series.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The chart by weekday and hour shows the mean of so many weeks. Some zones are a quarter of an hour off the full one. */
export const weeks = { spanMs: 28 * dayMs, stepMs: hourMs / 4 } as const;

/** The mean of one hour of the week; null: nothing is known of it. */
export interface WeekHour {
  /** 0 is Monday. */
  weekday: number;
  hour: number;
  players: number | null;
}

/**
 * The players on all servers together by weekday and hour of a time zone, from Monday at midnight. The mean of each server
 * counts, so that one which was added lately counts as much as the others.
 */
export function weekHours(servers: readonly (readonly HistoryBucket[])[], timezone: string): WeekHour[] {
  const zone = IANAZone.create(timezone);
  const offsets = new Map<number, number>();
  /** Asking for an offset takes microseconds, and a month has thousands of steps. */
  const offsetMs = (at: number): number => {
    const hour = Math.floor(at / hourMs);
    let offset = offsets.get(hour);
    if (offset === undefined) offsets.set(hour, (offset = zone.offset(at) * 60_000));
    return offset;
  };
  const totals: (number | null)[] = Array.from({ length: 7 * 24 }, () => null);
  for (const buckets of servers) {
    const sums = totals.map(() => ({ players: 0, count: 0 }));
    for (const { at, players } of buckets) {
      if (players === null) continue;
      const local = at + offsetMs(at);
      // The first day of 1970 was a Thursday.
      const weekday = (Math.floor(local / dayMs) + 3) % 7;
      const sum = sums[weekday * 24 + (Math.floor(local / hourMs) % 24)]!;
      sum.players += players;
      sum.count += 1;
    }
    for (const [index, { players, count }] of sums.entries()) {
      if (count > 0) totals[index] = (totals[index] ?? 0) + players / count;
    }
  }
  return totals.map((players, index) => ({ weekday: Math.floor(index / 24), hour: index % 24, players }));
}

export type FullestHour = WeekHour & { players: number };

/** The hour with the most players, the first of several; null: nobody was there at all. */
export function fullestHour(hours: readonly WeekHour[]): FullestHour | null {
  const played = hours.flatMap(({ players, ...when }) => (players ? [{ ...when, players }] : []));
  return played.toSorted((one, other) => other.players - one.players)[0] ?? null;
}

/** A mean of players as text, with a decimal if it is small. */
export const meanText = (language: Language, players: number): string =>
  language.number(players, players < 10 ? 1 : 0);

/** The fullest hour as text: `fullest Sat 20:00: 37`. */
export function fullestText(language: Language, { weekday, hour, players }: FullestHour): string {
  // 5 January 1970 was a Monday.
  const at = (4 + weekday) * dayMs + hour * hourMs;
  const when = weekdayTime(language, at, 'UTC');
  return language.t('chart.fullest', { when, players: meanText(language, players) });
}
