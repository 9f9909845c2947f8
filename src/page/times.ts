import type { Language } from '../locales/language.ts';
import { createBoundedCache } from '../process/bounded-cache.ts';

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
