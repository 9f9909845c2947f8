import { DateTime } from 'luxon';
import type { Schedule } from '../../api/resources.ts';
import { isUnchanged, minutesOf, nextOccurrences } from '../../embeds/schedule-times.ts';

/** Events of a calendar that come from one schedule and repeat by one rule. */
interface Series {
  start: DateTime;
  /** IANA zone in whose local time it repeats; null: it repeats in UTC. */
  zone: string | null;
  /** RRULE of RFC 5545; null: it does not repeat. */
  rule: string | null;
}

const dayMinutes = 1440;
/** Shown of a schedule that no rule can say. */
const singleEvents = 20;
const dayNames = { MON: 'MO', TUE: 'TU', WED: 'WE', THU: 'TH', FRI: 'FR', SAT: 'SA', SUN: 'SU' } as const;

/** The minutes after midnight at which it starts, for what starts at the same times of each of its days. */
function timesOfDay({ recurrence, intervalMinutes, timeOfDay }: Schedule): number[] {
  const anchor = minutesOf(timeOfDay);
  if (recurrence !== 'INTERVAL' || intervalMinutes! >= dayMinutes) return [anchor];
  const count = Math.ceil(dayMinutes / intervalMinutes!);
  return Array.from({ length: count }, (_, index) => (anchor + index * intervalMinutes!) % dayMinutes);
}

function ruleOf({ recurrence, intervalMinutes, weekdays }: Schedule): string {
  if (recurrence === 'WEEKLY') return `FREQ=WEEKLY;BYDAY=${weekdays.map((day) => dayNames[day]).join(',')}`;
  const days = recurrence === 'INTERVAL' ? Math.max(1, intervalMinutes! / dayMinutes) : 1;
  return days === 1 ? 'FREQ=DAILY' : `FREQ=DAILY;INTERVAL=${days}`;
}

/**
 * The rules that give the starts which `nextOccurrences` gives: RFC 5545, too, moves a local time that clocks skip forward
 * and takes the first of one that they repeat. Every start has its own daily rule, since not every calendar knows rules
 * with several hours (Outlook). Times are epoch milliseconds.
 * @param from when series begin, or soon after
 */
export function seriesOf(schedule: Schedule, from: number, now: number): Series[] {
  const { recurrence, intervalMinutes, timezone } = schedule;
  const [first] = nextOccurrences(schedule, from - 1, 1);
  if (first === undefined) return [];
  const interval = recurrence === 'INTERVAL' ? intervalMinutes! : null;
  const [winter, summer] = [1, 7].map((month) =>
    DateTime.fromMillis(first, { zone: timezone }).set({ month }),
  );
  if (interval !== null && isUnchanged(interval, winter!.offset - summer!.offset)) {
    const start = DateTime.fromMillis(first, { zone: 'utc' });
    return [{ start, zone: null, rule: `FREQ=MINUTELY;INTERVAL=${interval}` }];
  }
  if (interval !== null && interval > dayMinutes && interval % dayMinutes !== 0) {
    return nextOccurrences(schedule, now, singleEvents).map((at) => ({
      start: DateTime.fromMillis(at, { zone: timezone }),
      zone: timezone,
      rule: null,
    }));
  }
  const day = DateTime.fromMillis(first, { zone: timezone }).startOf('day');
  return timesOfDay(schedule).map((minutes) => ({
    start: day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }),
    zone: timezone,
    rule: ruleOf(schedule),
  }));
}
