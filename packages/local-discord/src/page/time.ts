import { element } from './dom.ts';

/** Discord's timestamp styles as Intl options (Discord: Reference, Message Formatting). */
const styles: Record<string, Intl.DateTimeFormatOptions> = {
  t: { hour: 'numeric', minute: '2-digit' },
  T: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  d: { day: '2-digit', month: '2-digit', year: 'numeric' },
  D: { day: 'numeric', month: 'long', year: 'numeric' },
  f: { day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  F: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
};

/** Seconds of each unit, and from how many seconds on it is used. */
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

let locale = 'en-US';

export function setTimeLocale(value: string): void {
  locale = value;
  refresh();
}

function relative(seconds: number): string {
  const distance = seconds - Date.now() / 1000;
  const [unit, size] = units.find(([, one]) => Math.abs(distance) >= one) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(Math.round(distance / size), unit);
}

function format(seconds: number, style: string): string {
  if (Math.abs(seconds) > 8.64e12) return 'Invalid date';
  if (style === 'R') return relative(seconds);
  return new Intl.DateTimeFormat(locale, styles[style] ?? styles.f).format(new Date(seconds * 1000));
}

/** `<t:UNIX:STYLE>` as Discord draws it; relative ones keep themselves up to date. */
export function timestamp(seconds: number, style: string): HTMLElement {
  const properties = { className: 'md-time', 'data-unix': seconds, 'data-style': style };
  return element('time', { ...properties, title: format(seconds, 'F') }, format(seconds, style));
}

/** How a message's own time is written: `Today at 18:05`. */
export function messageTime(ms: number): string {
  const startOfToday = new Date().setHours(0, 0, 0, 0);
  if (ms >= startOfToday) return `Today at ${clockTime(ms)}`;
  if (ms >= startOfToday - 86_400_000) return `Yesterday at ${clockTime(ms)}`;
  return `${format(ms / 1000, 'd')} ${clockTime(ms)}`;
}

/** The short time that grouped messages show beside them. */
export const clockTime = (ms: number): string => format(ms / 1000, 't');

function refresh(): void {
  for (const node of document.querySelectorAll<HTMLTimeElement>('time[data-unix]')) {
    const text = format(Number(node.dataset['unix']), node.dataset['style'] ?? 'f');
    if (node.textContent !== text) node.textContent = text;
  }
}

setInterval(refresh, 1000);
