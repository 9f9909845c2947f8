import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/api/resources.ts';
import { nextOccurrences } from '../../../src/embeds/schedule-times.ts';
import { languageOf } from '../../../src/locales/language.ts';
import { calendarOf } from '../../../src/page/embedding/calendar.ts';
import { now, schedule, server } from '../../embeds/contract-data.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';
import { parseCalendar } from './expanded-calendar.ts';

const dayMs = 86_400_000;

const write = (schedules: readonly Schedule[], over: Partial<Parameters<typeof calendarOf>[0]> = {}) =>
  calendarOf({
    name: 'Northwood',
    servers: [{ server: server(), schedules }],
    language: languageOf('en-US'),
    urlOf: (id) => `https://play.example.org/servers/${id}`,
    now,
    ...over,
  });
const read = (...input: Parameters<typeof write>) => parseCalendar(write(...input));

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
];
const rules = {
  'daily in the hour that clocks skip and repeat': { recurrence: 'DAILY', timeOfDay: '02:30' },
  'daily at midnight': { recurrence: 'DAILY', timeOfDay: '00:00' },
  'weekly on two days': { recurrence: 'WEEKLY', timeOfDay: '02:30', weekdays: ['SUN', 'WED'] },
  'every four hours': { recurrence: 'INTERVAL', intervalMinutes: 240, timeOfDay: null },
  'every six hours from 21:00': { recurrence: 'INTERVAL', intervalMinutes: 360, timeOfDay: '21:00' },
  'every five hours, which does not divide a day': {
    recurrence: 'INTERVAL',
    intervalMinutes: 300,
    timeOfDay: '01:00',
  },
  'every 90 minutes': { recurrence: 'INTERVAL', intervalMinutes: 90, timeOfDay: null },
  'every 40 minutes from 01:00': { recurrence: 'INTERVAL', intervalMinutes: 40, timeOfDay: '01:00' },
  'every hour': { recurrence: 'INTERVAL', intervalMinutes: 60, timeOfDay: null },
  'every 20 minutes': { recurrence: 'INTERVAL', intervalMinutes: 20, timeOfDay: '00:10' },
  'every day as an interval': { recurrence: 'INTERVAL', intervalMinutes: 1440, timeOfDay: '06:00' },
  'every third day': { recurrence: 'INTERVAL', intervalMinutes: 4320, timeOfDay: '02:30' },
} as const satisfies Record<string, Partial<Schedule>>;

describe('the calendar of schedules', () => {
  it.each(zones.flatMap((zone) => Object.keys(rules).map((rule) => [rule, zone] as const)))(
    'has the same starts as the bot: %s, %s',
    (name, timezone) => {
      const rule = schedule({
        intervalMinutes: null,
        weekdays: [],
        ...(rules[name as keyof typeof rules] as Partial<Schedule>),
        timezone,
      });
      const { events } = read([rule]);
      // The weeks in which clocks change, north and south of the equator.
      for (const [from, to] of [
        [Date.parse('2026-03-01T00:00:00Z'), Date.parse('2026-04-10T00:00:00Z')],
        [Date.parse('2026-09-01T00:00:00Z'), Date.parse('2026-11-05T00:00:00Z')],
      ] as const) {
        const most = Math.ceil((1.1 * (to - from)) / 60_000 / (rule.intervalMinutes ?? 1440)) + 3;
        const expected = nextOccurrences(rule, from - 1, most).filter((time) => time < to);
        expect(expected.length).toBeLessThan(most);
        expect(expected.length).toBeGreaterThan(10);
        const starts = events.flatMap((event) => event.between(from, to));
        expect(starts.toSorted((one, other) => one - other)).toEqual(expected);
      }
    },
  );

  it('lists the next starts of an interval that no rule can say', () => {
    const rule = schedule({ recurrence: 'INTERVAL', intervalMinutes: 2160, timeOfDay: '06:00' });
    const { events } = read([rule]);
    expect(events.map(({ rule }) => rule)).toEqual(events.map(() => null));
    const starts = events.flatMap((event) => event.between(now, now + 90 * dayMs));
    expect(starts).toEqual(nextOccurrences(rule, now, 20));
  });

  it('leaves out what never starts or could not be read', () => {
    expect(read([schedule({ timezone: 'Nowhere/City' })]).events).toEqual([]);
    expect(read([schedule({ recurrence: 'WEEKLY', intervalMinutes: null, weekdays: [] })]).events).toEqual(
      [],
    );
    expect(read([], { servers: [{ server: server(), schedules: null }] }).events).toEqual([]);
  });

  it('is the same to the byte all year, and keeps the ids of its events in the next', () => {
    const rule = [schedule()];
    expect(write(rule, { now: now - 40 * dayMs })).toBe(write(rule));
    const ids = (at: number) => read(rule, { now: at }).events.map(({ uid }) => uid);
    expect(ids(now + 60 * dayMs)).toEqual(ids(now));
    expect(new Set(ids(now)).size).toBe(ids(now).length);
  });

  it('names the kind in the language of its reader where a schedule has no visible title', () => {
    const [event] = read([schedule({ title: '\u200b', kind: 'WIPE' })], {
      language: languageOf('de'),
    }).events;
    expect(event?.summary).toBe('Wipe · Northwood | Chernarus');
  });

  it('holds hostile texts as one line each, and no property of their own', () => {
    const texts = [
      ...hostileTexts(300),
      'a\r\nEND:VEVENT\r\nBEGIN:VALARM',
      'x;y,z\\n',
      'name\nATTACH:file:///etc',
    ];
    const daily = { recurrence: 'DAILY', intervalMinutes: null, timeOfDay: '04:00' } as const;
    const ours = /^(?:VERSION|PRODID|NAME|X-WR-CALNAME|REFRESH-INTERVAL|X-PUBLISHED-TTL)$/;
    for (const text of texts) {
      const schedules = [schedule({ ...daily, title: text, description: text })];
      const { events, properties } = read([], {
        name: text,
        servers: [{ server: server({ name: text }), schedules }],
      });
      expect(events).toHaveLength(1);
      expect(events[0]?.summary).not.toMatch(/[\n\u202e]/);
      expect([...properties.keys()].filter((name) => !ours.test(name))).toEqual([]);
    }
  });
});
