import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/api/resources.ts';
import { nextOccurrences } from '../../../src/embeds/schedule-times.ts';
import { languageOf } from '../../../src/locales/language.ts';
import { calendarOf } from '../../../src/page/embedding/calendar.ts';
import type { View } from '../../../src/page/view.ts';
import { now, schedule, server } from '../../embeds/contract-data.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';
import { parseCalendar, startOf } from './parsed-calendar.ts';

const dayMs = 86_400_000;
const today = Math.floor(now / dayMs) * dayMs;

interface Input extends Partial<Pick<View, 'language' | 'now' | 'publicUrl'>> {
  name?: string;
  servers?: Parameters<typeof calendarOf>[2];
}
const write = (schedules: readonly Schedule[], over: Input = {}) => {
  const { name = 'Northwood', servers = [{ server: server(), schedules }], ...view } = over;
  const usual = { language: languageOf('en-US'), now, publicUrl: 'https://play.example.org', chosen: null };
  return calendarOf({ ...usual, ...view } as View, name, servers);
};
const read = (...input: Parameters<typeof write>) => parseCalendar(write(...input));

describe('the calendar of schedules', () => {
  it.each<[string, Partial<Schedule>]>([
    ['daily in the hour that clocks skip', { recurrence: 'DAILY', timeOfDay: '02:30' }],
    ['weekly', { recurrence: 'WEEKLY', timeOfDay: '02:30', weekdays: ['SUN', 'WED'] }],
    ['every five hours', { recurrence: 'INTERVAL', intervalMinutes: 300, timeOfDay: '01:00' }],
  ])('has the starts that the bot says, from today on: %s', (_, over) => {
    const rule = schedule({ intervalMinutes: null, weekdays: [], ...over });
    const starts = read([rule]).events.map(startOf);
    expect(starts).toHaveLength(100);
    expect(starts).toEqual(nextOccurrences(rule, today - 1, 100));
  });

  it('leaves out what never starts', () => {
    expect(read([schedule({ timezone: 'Nowhere/City' })]).events).toEqual([]);
    expect(read([schedule({ recurrence: 'WEEKLY', intervalMinutes: null, weekdays: [] })]).events).toEqual(
      [],
    );
  });

  it('is the same to the byte all day, and keeps the ids of its events on the next', () => {
    const rule = [schedule()];
    expect(write(rule, { now: today })).toBe(write(rule, { now: today + dayMs - 1 }));
    const ids = (at: number) => read(rule, { now: at }).events.map((event) => event.get('UID'));
    const tomorrow = new Set(ids(now + dayMs));
    expect(ids(now).filter((id) => tomorrow.has(id))).toHaveLength(94);
    expect(tomorrow.size).toBe(100);
  });

  it('names the kind in the language of its reader where a schedule has no visible title', () => {
    const { events } = read([schedule({ title: '\u200b', kind: 'WIPE' })], { language: languageOf('de') });
    expect(events[0]?.get('SUMMARY')).toBe('Wipe · Northwood | Chernarus');
  });

  it('holds hostile texts as one line each, and no property of their own', () => {
    const texts = [
      ...hostileTexts(300),
      'a\r\nEND:VEVENT\r\nBEGIN:VALARM',
      'x;y,z\\n',
      'name\nATTACH:file:///etc',
    ];
    const ours = /^(?:VERSION|PRODID|X-WR-CALNAME|REFRESH-INTERVAL|X-PUBLISHED-TTL)$/;
    for (const text of texts) {
      const { events, properties } = read([], {
        name: text,
        servers: [
          { server: server({ name: text }), schedules: [schedule({ title: text, description: text })] },
        ],
      });
      expect(events).toHaveLength(100);
      expect(events[0]?.get('SUMMARY')).not.toMatch(/[\n\u202e]/);
      expect([...properties.keys()].filter((name) => !ours.test(name))).toEqual([]);
    }
  });
});
