import { createHash } from 'node:crypto';
import ical, { ICalEventTransparency } from 'ical-generator';
import { DateTime } from 'luxon';
import { LRUCache } from 'lru-cache';
import type { ServerSchedules } from '../../embeds/schedule.ts';
import { textLimits } from '../../embeds/limits.ts';
import { plain } from '../../embeds/text.ts';
import type { Language } from '../../locales/language.ts';
import { plainName } from '../plain-name.ts';
import { seriesOf } from './recurrence.ts';
import { timeZoneComponent } from './time-zone.ts';

interface CalendarInput {
  /** Of the project, or of the server. */
  name: string;
  servers: readonly ServerSchedules[];
  language: Language;
  /** The page of a server; null: this service has no public address. */
  urlOf(serverId: string): string | null;
  /** Epoch milliseconds. */
  now: number;
}

const hourSeconds = 3600;

/** Which zone's clocks change when takes milliseconds to find out. */
const timeZones = new LRUCache<string, string>({ max: 50 });

function timeZoneOf(zone: string, from: number): string {
  const key = `${zone} ${from}`;
  const found = timeZones.get(key) ?? timeZoneComponent(zone, from);
  timeZones.set(key, found);
  return found;
}

/** ical-generator writes the names of calendars as they are. */
const escapedName = (name: string): string => name.replace(/[\\;,]/g, '\\$&');

/** To write one takes 2 ms for each server, and programs ask every hour. Characters, in all. */
const written = new LRUCache<string, string>({ maxSize: 4_000_000, sizeCalculation: ({ length }) => length });

/**
 * The schedules as iCalendar (RFC 5545). The same schedules give the same bytes for a whole year: events begin with the
 * year, and each keeps its id. They have no end, since a schedule says none.
 */
export function calendarOf(input: CalendarInput): string {
  const { name, servers, language, urlOf, now } = input;
  // What no rule can say is listed from now on, so that it changes with time.
  const hour = Math.floor(now / (hourSeconds * 1_000));
  const events = servers.map(({ server, schedules }) => [
    server.id,
    plainName(server),
    urlOf(server.id),
    schedules,
  ]);
  const key = createHash('sha256').update(JSON.stringify([name, language.locale, hour, events]));
  const hash = key.digest('base64');
  const known = written.get(hash) ?? writeCalendar(input);
  written.set(hash, known);
  return known;
}

function writeCalendar({ name, servers, language, urlOf, now }: CalendarInput): string {
  const year = DateTime.fromMillis(now, { zone: 'utc' }).startOf('year');
  const calendar = ical({
    name: escapedName(plain(name, textLimits.serverName)),
    prodId: '//Outpost//Public page//EN',
    ttl: hourSeconds,
    timezone: { name: null, generator: (zone) => timeZoneOf(zone, year.toMillis()) },
  });
  for (const { server, schedules } of servers) {
    for (const [place, schedule] of (schedules ?? []).entries()) {
      const title = plain(schedule.title, textLimits.title) || language.t(`kind.${schedule.kind}`);
      const about = plain(schedule.description ?? '', textLimits.description);
      for (const { start, zone, rule } of seriesOf(schedule, year.toMillis(), now)) {
        const time = rule === null ? start.toISO() : start.toFormat('HHmm');
        const id = createHash('sha256').update(JSON.stringify([server.id, place, time]));
        calendar.createEvent({
          id: `${id.digest('hex').slice(0, 24)}@outpost`,
          stamp: year,
          start,
          timezone: zone,
          repeating: rule,
          summary: `${title} · ${plainName(server)}`,
          ...(about !== '' && { description: about }),
          url: urlOf(server.id),
          transparency: ICalEventTransparency.TRANSPARENT,
        });
      }
    }
  }
  return conforming(calendar.toString());
}

/**
 * ical-generator writes two properties after the time zones, and no end of the last line. RFC 5545 wants all properties
 * before the components (3.6), and an end of every line (3.1).
 */
const conforming = (text: string): string =>
  `${text.replace(/(BEGIN:VTIMEZONE[^]*?)(REFRESH-INTERVAL.*\r\nX-PUBLISHED-TTL.*\r\n)/, '$2$1')}\r\n`;
