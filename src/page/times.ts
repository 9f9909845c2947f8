import type { Language } from '../locales/language.ts';
import { createBoundedCache } from '../process/bounded-cache.ts';

const formats = createBoundedCache<Intl.DateTimeFormat>(500);

/*
 * Moments in the zone of the page, which is named once. The browser's script puts both into the visitor's.
 */

/** `Fri, 27 Nov, 20:00` */
export function dateAndTime({ locale }: Language, at: number, timeZone: string): string {
  return format(locale, timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(at);
}

/** `27 Nov 2026` */
export function dateOnly({ locale }: Language, at: number, timeZone: string): string {
  return format(locale, timeZone, { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
}

function format(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, made);
  return made;
}
