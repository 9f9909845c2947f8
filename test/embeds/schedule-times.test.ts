import { describe, expect, it } from 'vitest';
import { nextOccurrences, nextRestart } from '../../src/embeds/schedule-times.ts';
import { schedule } from './contract-data.ts';

const next = (over: Parameters<typeof schedule>[0], after: string, count = 3) =>
  nextOccurrences(schedule(over), Date.parse(after), count).map((time) =>
    new Date(time).toISOString().slice(0, 16),
  );

const daily = (timeOfDay: string) => ({ recurrence: 'DAILY', intervalMinutes: null, timeOfDay }) as const;

describe('the next times of a schedule', () => {
  it('keep their time on the clock when summer time begins and ends', () => {
    // Berlin: 29 March 2026 at 02:00, 25 October 2026 at 03:00.
    expect(next(daily('04:00'), '2026-03-27T12:00:00Z')).toEqual([
      '2026-03-28T03:00',
      '2026-03-29T02:00',
      '2026-03-30T02:00',
    ]);
    expect(next(daily('04:00'), '2026-10-23T12:00:00Z')).toEqual([
      '2026-10-24T02:00',
      '2026-10-25T03:00',
      '2026-10-26T03:00',
    ]);
  });

  it('move an hour that the clock skips forward, and take the first of one that it repeats', () => {
    expect(next(daily('02:30'), '2026-03-28T12:00:00Z', 1)).toEqual(['2026-03-29T01:30']);
    expect(next(daily('02:30'), '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
  });

  it('count an interval from its anchor, also past midnight', () => {
    const everyFour = { intervalMinutes: 240, timeOfDay: '02:00', timezone: 'UTC' };
    expect(next(everyFour, '2026-11-20T21:59:00Z')).toEqual([
      '2026-11-20T22:00',
      '2026-11-21T02:00',
      '2026-11-21T06:00',
    ]);
    expect(next({ ...everyFour, timeOfDay: null }, '2026-11-20T22:00:00Z', 1)).toEqual(['2026-11-21T00:00']);
    expect(
      next({ intervalMinutes: 360, timeOfDay: '21:00', timezone: 'UTC' }, '2026-11-20T00:30:00Z', 2),
    ).toEqual(['2026-11-20T03:00', '2026-11-20T09:00']);
  });

  it('restart an interval that does not divide the day at its anchor', () => {
    const everyFive = { intervalMinutes: 300, timeOfDay: '00:00', timezone: 'UTC' };
    expect(next(everyFive, '2026-11-20T19:00:00Z')).toEqual([
      '2026-11-20T20:00',
      '2026-11-21T00:00',
      '2026-11-21T05:00',
    ]);
  });

  it('keep restarts of every four hours on the clock across summer time', () => {
    const everyFour = { intervalMinutes: 240, timeOfDay: '00:00', timezone: 'Europe/Berlin' };
    expect(next(everyFour, '2026-03-28T22:30:00Z', 4)).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T02:00',
      '2026-03-29T06:00',
      '2026-03-29T10:00',
    ]);
  });

  it('neither skip nor double the changed hour when they come more than hourly', () => {
    const half = { intervalMinutes: 30, timeOfDay: '00:00', timezone: 'Europe/Berlin' };
    const times = nextOccurrences(schedule(half), Date.parse('2026-10-24T23:00:00Z'), 12);
    const gaps = times.slice(1).map((time, index) => (time - times[index]!) / 60_000);
    expect(new Set(gaps)).toEqual(new Set([30]));
  });

  it('keep full hours where clocks change by half of one', () => {
    // Lord Howe Island: 5 April 2026 from 02:00 to 01:30, 4 October from 02:00 to 02:30.
    const hourly = { intervalMinutes: 60, timeOfDay: '00:00', timezone: 'Australia/Lord_Howe' };
    expect(next(hourly, '2026-04-04T13:30Z')).toEqual([
      '2026-04-04T14:00',
      '2026-04-04T15:30',
      '2026-04-04T16:30',
    ]);
    expect(next(hourly, '2026-10-03T14:00Z')).toEqual([
      '2026-10-03T14:30',
      '2026-10-03T15:30',
      '2026-10-03T16:00',
    ]);
  });

  it('keep every second day a second day', () => {
    const times = nextOccurrences(
      schedule({ intervalMinutes: 2880, timeOfDay: '05:00', timezone: 'UTC' }),
      Date.parse('2026-11-20T12:00:00Z'),
      3,
    );
    expect(times.map((time) => new Date(time).getUTCHours())).toEqual([5, 5, 5]);
    expect(times[2]! - times[0]!).toBe(4 * 86_400_000);
  });

  it('fall on the days of the week that were named, in the zone of the schedule', () => {
    const weekly = {
      recurrence: 'WEEKLY',
      intervalMinutes: null,
      timeOfDay: '01:00',
      weekdays: ['SAT', 'MON'],
      timezone: 'Asia/Tokyo',
    } as const;
    expect(next({ ...weekly, weekdays: [...weekly.weekdays] }, '2026-11-20T18:00:00Z')).toEqual([
      '2026-11-22T16:00',
      '2026-11-27T16:00',
      '2026-11-29T16:00',
    ]);
  });

  it('are none for a schedule that cannot be read', () => {
    expect(next({ timezone: 'Mars/Olympus' }, '2026-11-20T18:00:00Z')).toEqual([]);
    expect(next({ intervalMinutes: null }, '2026-11-20T18:00:00Z')).toEqual([]);
    expect(next({ recurrence: 'WEEKLY', weekdays: [] }, '2026-11-20T18:00:00Z')).toEqual([]);
  });

  it('give the earliest restart of several, and no other kind', () => {
    const after = Date.parse('2026-11-20T12:30:00Z');
    const list = [
      schedule({ kind: 'EVENT', intervalMinutes: 60, timezone: 'UTC' }),
      schedule({ ...daily('14:00'), timezone: 'UTC' }),
      schedule({ ...daily('13:00'), timezone: 'UTC' }),
    ];
    expect(nextRestart(list, after)).toBe(Date.parse('2026-11-20T13:00:00Z'));
    expect(nextRestart(list.slice(0, 1), after)).toBeNull();
  });
});
