import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import { weekdays, type Schedule } from '../api/resources.ts';

const dayMinutes = 1440;

/** Minutes after midnight of "HH:mm". */
function minutesOf(timeOfDay: string | null): number {
  const [hours, minutes] = (timeOfDay ?? '00:00').split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** A local time of the zone. A time skipped by summer time moves forward; of a repeated time, the first is used. */
function atClock(day: DateTime, minutes: number): number {
  const clock = day.plus({ days: Math.floor(minutes / dayMinutes) });
  const { year, month, day: date } = clock;
  const time = { hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 };
  const start = DateTime.fromObject({ year, month, day: date, ...time }, { zone: day.zone });
  return Math.min(...start.getPossibleOffsets().map((possible) => possible.toMillis()));
}

/**
 * The starts of an interval schedule on one day. They keep their local times when summer time changes, as restart scripts
 * do. Intervals below a day restart at each day's anchor; longer ones count days from 1970-01-01.
 */
function intervalStarts(schedule: Schedule, day: DateTime): number[] {
  const interval = schedule.intervalMinutes;
  if (interval === null || interval < 1) return [];
  const anchor = minutesOf(schedule.timeOfDay);
  if (interval >= dayMinutes) {
    const dayNumber = Math.round(Date.UTC(day.year, day.month - 1, day.day) / 86_400_000);
    const first = Math.ceil((dayNumber * dayMinutes - anchor) / interval) * interval + anchor;
    const within = first - dayNumber * dayMinutes;
    return within < dayMinutes ? [atClock(day, within)] : [];
  }
  const begin = atClock(day, anchor);
  const end = atClock(day.plus({ days: 1 }), anchor);
  const starts: number[] = [];
  // Clocks mostly change by an hour, on Lord Howe Island by half of one. Where the interval divides that, elapsed minutes give
  // the right starts in the hour that changes.
  const changeMinutes = (end - begin) / 60_000 - dayMinutes;
  if (60 % interval === 0 && changeMinutes % interval === 0) {
    for (let time = begin; time < end; time += interval * 60_000) starts.push(time);
  } else {
    for (let minutes = anchor; minutes < anchor + dayMinutes; minutes += interval) {
      starts.push(atClock(day, minutes));
    }
  }
  return starts;
}

function startsOn(schedule: Schedule, day: DateTime): number[] {
  if (schedule.recurrence === 'INTERVAL') return intervalStarts(schedule, day);
  if (schedule.timeOfDay === null) return [];
  if (schedule.recurrence === 'WEEKLY') {
    const name = weekdays[day.weekday - 1];
    if (name === undefined || !schedule.weekdays.includes(name)) return [];
  }
  return [atClock(day, minutesOf(schedule.timeOfDay))];
}

function computeOccurrences(schedule: Schedule, after: number, count: number): number[] {
  const today = DateTime.fromMillis(after, { zone: schedule.timezone }).startOf('day');
  if (!today.isValid) return [];
  const found = new Set<number>();
  let isEnough = false;
  // Starts with the day before, whose interval may run past midnight, and ends with one more, whose first starts may come
  // before the last ones of the day before when clocks change.
  for (let offset = -1; offset <= 731 && !isEnough; offset += 1) {
    isEnough = found.size >= count;
    for (const start of startsOn(schedule, today.plus({ days: offset }))) if (start > after) found.add(start);
  }
  return [...found].toSorted((one, other) => one - other).slice(0, count);
}

/** Cached, since the calculation takes milliseconds and every answer needs the same schedules. */
const computed = new LRUCache<string, { after: number; times: readonly number[] }>({ max: 500 });

/**
 * The next `count` starts of a schedule after `after` (epoch milliseconds), in its own time zone. Returns fewer if the
 * schedule is incomplete, has an unknown time zone, or starts more than two years ahead.
 */
export function nextOccurrences(schedule: Schedule, after: number, count: number): number[] {
  const { recurrence, intervalMinutes, timeOfDay, weekdays, timezone } = schedule;
  const key = JSON.stringify([recurrence, intervalMinutes, timeOfDay, weekdays, timezone, count]);
  const known = computed.get(key);
  if (known && known.after <= after && (known.times[0] ?? -Infinity) > after) return [...known.times];
  const times = computeOccurrences(schedule, after, count);
  computed.set(key, { after, times });
  return times;
}

/** The next start of any schedule of kind RESTART; null if there is none. */
export function nextRestart(schedules: readonly Schedule[], after: number): number | null {
  const restarts = schedules.filter(({ kind }) => kind === 'RESTART');
  const starts = restarts.flatMap((schedule) => nextOccurrences(schedule, after, 1));
  return starts.length === 0 ? null : Math.min(...starts);
}

const awayKinds = new Set<Schedule['kind']>(['RESTART', 'MAINTENANCE', 'WIPE']);
/** Scripts begin a little early. */
const earlyMs = 5 * 60_000;
/** Servers with many mods start for ten minutes. */
const awayMs = 15 * 60_000;

/** Whether these schedules say that their server is away at a moment. */
export function isAwayAsPlanned(schedules: readonly Schedule[], now: number): boolean {
  return schedules.some(
    (schedule) =>
      awayKinds.has(schedule.kind) &&
      nextOccurrences(schedule, now - awayMs, 1).some((at) => at <= now + earlyMs),
  );
}
