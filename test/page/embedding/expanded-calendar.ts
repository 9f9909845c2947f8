/** A reader of iCalendar files that knows what calendars of Outpost use, and RFC 5545 alone: no library of time zones. */

interface Observance {
  /** Local times as if they were UTC; epoch milliseconds. */
  start: number;
  fromMs: number;
  toMs: number;
}

export interface CalendarEvent {
  uid: string;
  summary: string;
  description: string | null;
  rule: string | null;
  /** Starts between two times, in order; epoch milliseconds. */
  between(from: number, to: number): number[];
}

export interface ParsedCalendar {
  /** Properties of the calendar itself. */
  properties: Map<string, string>;
  events: CalendarEvent[];
}

const dayMs = 86_400_000;
const days = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));

function localTime(text: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(text)!;
  return Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!);
}

function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(text)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** RFC 5545, 3.3.5: a time that does not exist counts with the offset before the gap, one that occurs twice is the first. */
function instant(local: number, zone: readonly Observance[]): number {
  const current = zone.findLast(({ start }) => start <= local)!;
  const gap = current.toMs - current.fromMs;
  return local - (gap > 0 && local < current.start + gap ? current.fromMs : current.toMs);
}

export function parseCalendar(text: string): ParsedCalendar {
  if (/[^\r]\n/.test(text) || !text.endsWith('\n')) throw new Error('a line does not end with CRLF');
  const tooLong = text.split('\r\n').find((line) => Buffer.byteLength(line) > 75);
  if (tooLong !== undefined) throw new Error(`longer than 75 bytes: ${tooLong}`);
  const lines = text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line !== '');
  const zones = new Map<string, Observance[]>();
  const parsed: ParsedCalendar = { properties: new Map(), events: [] };
  const within: string[] = [];
  let found = new Map<string, { value: string; parameters: string }>();
  let zone: Observance[] = [];
  let hasComponents = false;
  for (const line of lines) {
    const [, name, parameters = '', value] = /^([A-Z-]+)((?:;[^:]+)?):(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no property: ${line}`);
    if (name === 'BEGIN') {
      within.push(value);
      hasComponents ||= value !== 'VCALENDAR';
      if (value === 'VTIMEZONE') zone = [];
      if (value !== 'VCALENDAR') found = value === 'VTIMEZONE' ? found : new Map();
    } else if (name === 'END') {
      if (within.pop() !== value) throw new Error(`ends what did not begin: ${value}`);
      if (value === 'VEVENT') parsed.events.push(eventOf(found, zones));
      if (value === 'STANDARD' || value === 'DAYLIGHT') {
        zone.push({
          start: localTime(found.get('DTSTART')!.value),
          fromMs: offsetMs(found.get('TZOFFSETFROM')!.value),
          toMs: offsetMs(found.get('TZOFFSETTO')!.value),
        });
      }
    } else if (within.at(-1) === 'VCALENDAR') {
      if (hasComponents) throw new Error(`a property after a component: ${line}`);
      parsed.properties.set(name, unescaped(value));
    } else if (name === 'TZID') zones.set(value, zone);
    else found.set(name, { value, parameters });
  }
  if (within.length > 0) throw new Error(`does not end: ${within.join()}`);
  return parsed;
}

function eventOf(
  found: ReadonlyMap<string, { value: string; parameters: string }>,
  zones: ReadonlyMap<string, readonly Observance[]>,
): CalendarEvent {
  const { value, parameters } = found.get('DTSTART')!;
  const zoneName = /TZID=([^;]+)/.exec(parameters)?.[1];
  const zone = zoneName === undefined ? null : zones.get(zoneName)!;
  const rule = found.get('RRULE')?.value ?? null;
  const parts = new Map(rule?.split(';').map((part) => part.split('=') as [string, string]));
  const start = localTime(value);
  const utc = (local: number) => (zone === null ? local : instant(local, zone));
  const step = Number(parts.get('INTERVAL') ?? 1) * (parts.get('FREQ') === 'MINUTELY' ? 60_000 : dayMs);
  const byDay = parts.get('BYDAY')?.split(',');
  return {
    uid: found.get('UID')!.value,
    summary: unescaped(found.get('SUMMARY')!.value),
    description: found.has('DESCRIPTION') ? unescaped(found.get('DESCRIPTION')!.value) : null,
    rule,
    between(from, to) {
      const starts: number[] = [];
      for (let local = start; local < to + 2 * dayMs; local += step) {
        const fits = byDay === undefined || byDay.includes(days[new Date(local).getUTCDay()]!);
        if (fits && utc(local) >= from && utc(local) < to) starts.push(utc(local));
        if (rule === null) break;
      }
      return starts;
    },
  };
}
