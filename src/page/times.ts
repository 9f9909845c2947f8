import type { Language } from '../locales/language.ts';
import { createBoundedCache } from '../process/bounded-cache.ts';
import { perKey } from '../process/per-key.ts';

const formats = createBoundedCache<Intl.DateTimeFormat>(500);

/** `Fri, 27 Nov, 20:00 CET`: a moment in a zone that it names. The browser's script puts it into the visitor's. */
export function dateAndTime({ locale }: Language, at: number, timeZone: string): string {
  return format(locale, timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

/** `27 Nov 2026`, in UTC; the browser's script puts it into the visitor's zone. */
export function dateOnly({ locale }: Language, at: number): string {
  return format(locale, 'UTC', { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
}

function format(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, made);
  return made;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relatives = {
  auto: perKey((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })),
  always: perKey((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always' })),
};

/**
 * `in 53 minutes`, `2 days ago`. Below a minute: `this minute`. A day is 24 hours: what begins in 25 hours may be on the day
 * after tomorrow, so it is in one day.
 */
export function relativeTime({ locale }: Language, at: number, now: number): string {
  const distance = at - now;
  const [unit, ms] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['minute', 60_000];
  const count = Math.trunc(distance / ms);
  return relatives[count === 0 ? 'auto' : 'always'](locale).format(count, unit);
}
