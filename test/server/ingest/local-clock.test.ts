import { describe, expect, test } from 'vitest';
import { LocalZone, RunClock, timeOfDayMs } from '../../../src/server/ingest/local-clock.ts';

const read = (zone: string, header: string, ...times: string[]) => {
  const clock = new RunClock(new LocalZone(zone), header);
  return times.map((time) => new Date(clock.advance(timeOfDayMs(time))).toISOString());
};

describe('a log’s local times', () => {
  test('are moments of the server’s zone', () => {
    expect(read('Europe/Berlin', '2024-07-01 12:00:00', '12:00:05')).toEqual(['2024-07-01T10:00:05.000Z']);
    expect(read('Asia/Kolkata', '2024-07-01 00:00:00', '00:10:00')).toEqual(['2024-06-30T18:40:00.000Z']);
  });

  test('go on past midnight, more than once', () => {
    expect(read('UTC', '2024-02-28 23:59:00', '23:59:59', '00:00:01', '12:00:00', '06:00:00')).toEqual([
      '2024-02-28T23:59:59.000Z',
      '2024-02-29T00:00:01.000Z',
      '2024-02-29T12:00:00.000Z',
      '2024-03-01T06:00:00.000Z',
    ]);
  });

  test('jitter back by up to five minutes without a day passing', () => {
    expect(read('UTC', '2024-05-01 12:00:00', '11:59:58', '12:06:00', '12:01:00', '11:55:59')).toEqual([
      '2024-05-01T11:59:58.000Z',
      '2024-05-01T12:06:00.000Z',
      '2024-05-01T12:01:00.000Z',
      '2024-05-02T11:55:59.000Z',
    ]);
  });

  test('jitter back over midnight, but not to before the run began', () => {
    expect(read('UTC', '2024-05-01 20:00:00', '00:00:01', '23:59:59', '00:00:02')).toEqual([
      '2024-05-02T00:00:01.000Z',
      '2024-05-01T23:59:59.000Z',
      '2024-05-02T00:00:02.000Z',
    ]);
    expect(read('UTC', '2024-05-01 00:00:00', '00:02:00', '23:58:00')).toEqual([
      '2024-05-01T00:02:00.000Z',
      '2024-05-01T23:58:00.000Z',
    ]);
    // The day that begins has 23 hours.
    expect(read('Europe/Berlin', '2024-03-30 20:00:00', '00:00:01', '23:59:59')).toEqual([
      '2024-03-30T23:00:01.000Z',
      '2024-03-30T22:59:59.000Z',
    ]);
  });

  test('run through both hours of autumn and skip the hour of spring', () => {
    expect(
      read(
        'Europe/Berlin',
        '2024-10-27 01:00:00',
        '02:30:00',
        '02:59:59',
        '02:00:00',
        '02:30:00',
        '03:00:00',
      ),
    ).toEqual([
      '2024-10-27T00:30:00.000Z',
      '2024-10-27T00:59:59.000Z',
      '2024-10-27T01:00:00.000Z',
      '2024-10-27T01:30:00.000Z',
      '2024-10-27T02:00:00.000Z',
    ]);
    expect(read('Europe/Berlin', '2024-03-31 01:00:00', '01:59:59', '03:00:00')).toEqual([
      '2024-03-31T00:59:59.000Z',
      '2024-03-31T01:00:00.000Z',
    ]);
  });

  test('a step back that autumn does not explain is the next day', () => {
    expect(read('Europe/Berlin', '2024-10-27 01:00:00', '04:00:00', '02:30:00')).toEqual([
      '2024-10-27T03:00:00.000Z',
      '2024-10-28T01:30:00.000Z',
    ]);
  });

  test('a zone that does not exist is refused', () => {
    expect(() => new LocalZone('Europe/Atlantis')).toThrow('"Europe/Atlantis" is not an IANA time zone');
  });
});
