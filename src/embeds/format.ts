import { DateTime, Info } from 'luxon';
import type { MetricUnit } from '../api/metrics.ts';
import type { Language } from '../locales/language.ts';

/** Formats a metric's value for a language: `1,234`, `812.4 m`, `76h`. */
export function formatMetric(language: Language, unit: MetricUnit, value: number): string {
  switch (unit) {
    case 'count':
      return language.number(value);
    case 'meters':
      return language.t('distance', { value: language.number(value, 1) });
    case 'seconds':
      // Players count what they have played in hours.
      if (value < dayMinutes * 60) return duration(language, value);
      return language.t('duration.wholeHours', { hours: language.number(Math.floor(value / 3600)) });
  }
}

/** Formats a duration in its largest two units. */
export function duration(language: Language, totalSeconds: number): string {
  const seconds = Math.floor(totalSeconds);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return language.t('duration.days', { days: language.number(days), hours: hours % 24 });
  if (hours > 0) return language.t('duration.hours', { hours, minutes: minutes % 60 });
  if (minutes > 0) return language.t('duration.minutes', { minutes });
  return language.t('duration.seconds', { seconds });
}

/** A moment of a week in a time zone: `Sat 20:15`. */
export function weekdayTime({ locale }: Language, at: number, timezone: string): string {
  const format = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return DateTime.fromMillis(at, { zone: timezone, locale }).toLocaleString(format);
}

/** The short name of a day of the week; 0 is Monday. */
export const weekdayName = ({ locale }: Language, weekday: number): string =>
  Info.weekdays('short', { locale })[weekday]!;

const dayMinutes = 1440;

/**
 * `in 3h 43m`, `20m ago`; below half a minute `this minute`, from a day on `in 2 days`. A day is 24 hours: what begins in 25
 * hours may be on the day after tomorrow, so it is in one day. Discord writes its own relative times, rounded to hours.
 */
export function relativeTime(language: Language, at: number, now: number): string {
  const distance = at - now;
  const minutes = Math.round(Math.abs(distance) / 60_000);
  if (minutes > 0 && minutes < dayMinutes)
    return language.t(distance < 0 ? 'when.ago' : 'when.in', { duration: period(language, minutes) });
  const [count, unit] = minutes === 0 ? ([0, 'minute'] as const) : ([distance / 86_400_000, 'day'] as const);
  const numeric = count === 0 ? 'auto' : 'always';
  return new Intl.RelativeTimeFormat(language.locale, { numeric }).format(Math.round(count), unit);
}

/** Formats a configured period. Full hours have no minutes: `4h`, `1h 30m`. */
export function period(language: Language, minutes: number): string {
  if (minutes % 60 === 0 && minutes < dayMinutes)
    return language.t('duration.wholeHours', { hours: minutes / 60 });
  return duration(language, minutes * 60);
}
