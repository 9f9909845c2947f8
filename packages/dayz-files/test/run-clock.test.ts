import { describe, expect, test } from 'vitest';
import { adminLog, LocalZone, RunClock, serverReport, timeOfDayMs } from '../src/index.ts';
import { header, idA, idB } from './fixture.ts';

const read = (zone: string, header: string, ...times: string[]) => {
  const clock = new RunClock(new LocalZone(zone), header);
  return times.map((time) => new Date(clock.advance(timeOfDayMs(time))).toISOString());
};

/** Minutes from line to line, and whether the clock was found out. */
const course = (
  zone: string,
  header: string,
  ...times: string[]
): [minutes: number[], isOffZone: boolean] => {
  const clock = new RunClock(new LocalZone(zone), header);
  const minutes: number[] = [];
  for (const time of times) {
    const before = clock.at;
    minutes.push((clock.advance(timeOfDayMs(time)) - before) / 60_000);
  }
  return [minutes, clock.isOffZone];
};

/** `02:00:00`, `02:05:00` and so on, up to but without `until`. */
const eachFiveMinutes = (from: number, until: number): string[] =>
  Array.from({ length: (until - from) / 5 }, (_, i) => {
    const minute = from + 5 * i;
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  });

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

describe('the clock of a machine that is not in the configured zone', () => {
  test('is found out by a time that spring leaves out, and goes its own course from there', () => {
    expect(course('Europe/Berlin', '2025-03-30 00:07:22', '02:20:22', '03:29:22', '04:29:22')).toEqual([
      [133, 69, 60],
      true,
    ]);
  });

  test('is found out in a run that began before midnight, or in the hour itself', () => {
    expect(
      course('Europe/Berlin', '2025-03-29 22:00:00', '23:50:00', '00:10:00', '02:20:00', '03:20:00'),
    ).toEqual([[110, 20, 130, 60], true]);
    expect(course('Europe/Berlin', '2025-03-30 02:30:00', '03:10:00')).toEqual([[40], true]);
    const days = ['01:00:00', '13:00:00', '01:00:00', '02:20:00'];
    expect(course('Europe/Berlin', '2025-03-28 22:00:00', ...days)[1]).toBe(true);
  });

  test('is found out where midnight itself is left out', () => {
    expect(course('America/Havana', '2025-03-08 23:00:00', '00:30:00', '01:30:00')).toEqual([[90, 60], true]);
  });

  test('continues over midnights and jitters back like any other', () => {
    expect(
      course(
        'Europe/Berlin',
        '2025-03-30 00:00:00',
        '02:30:00',
        '02:29:00',
        '23:59:00',
        '00:01:00',
        '23:59:00',
      ),
    ).toEqual([[150, -1, 1290, 2, -2], true]);
  });

  test('is found out by an hour of autumn that is full of lines and not repeated', () => {
    const times = [...eachFiveMinutes(65, 240)];
    expect(course('Europe/Berlin', '2025-10-26 01:00:00', ...times)).toEqual([times.map(() => 5), true]);
    expect(course('Europe/Berlin', '2025-10-25 22:00:00', '23:00:00', ...eachFiveMinutes(0, 240))[1]).toBe(
      true,
    );
  });

  test('is not suspected where the hour is repeated, or where it is quiet', () => {
    const repeated = [...eachFiveMinutes(65, 180), ...eachFiveMinutes(120, 240)];
    expect(course('Europe/Berlin', '2025-10-26 01:00:00', ...repeated)).toEqual([
      repeated.map(() => 5),
      false,
    ]);
    expect(course('Europe/Berlin', '2025-10-26 01:00:00', '02:10:00', '02:58:00', '03:02:00')).toEqual([
      [70, 48, 64],
      false,
    ]);
    const quiet = [...eachFiveMinutes(65, 180), '03:40:00'];
    expect(course('Europe/Berlin', '2025-10-26 01:00:00', ...quiet)[1]).toBe(false);
  });

  test('is not suspected of a run that started in the hour, maybe in its repetition', () => {
    const times = eachFiveMinutes(125, 300);
    expect(course('Europe/Berlin', '2025-10-26 02:00:00', ...times)).toEqual([times.map(() => 5), false]);
  });

  test('is not suspected in spring where no line falls into the hour that is left out', () => {
    const times = [...eachFiveMinutes(65, 120), ...eachFiveMinutes(180, 240)];
    expect(course('Europe/Berlin', '2025-03-30 01:00:00', ...times)).toEqual([times.map(() => 5), false]);
  });

  test('is not suspected of UTC, or on any other day', () => {
    expect(course('UTC', '2025-03-30 00:00:00', ...eachFiveMinutes(5, 1440))[1]).toBe(false);
    expect(course('Europe/Berlin', '2025-03-29 00:00:00', ...eachFiveMinutes(5, 1440))[1]).toBe(false);
    expect(course('Europe/Berlin', '2025-10-27 00:00:00', ...eachFiveMinutes(5, 1440))[1]).toBe(false);
  });
});

describe('an hour that the machine repeats and the configured zone does not', () => {
  const start = '2025-10-26 01:00:00';
  const on = (time: string, id: string) => `${time} | Player "${id[0]}" is connected (id=${id})`;
  const off = (time: string, id: string) => `${time} | Player "${id[0]}"(id=${id}) has been disconnected`;
  const list = (time: string, ...ids: string[]) => [
    `${time} | ##### PlayerList log: ${ids.length} players`,
    ...ids.map((id) => `${time} | Player "${id[0]}" (id=${id} pos=<1.0, 2.0, 3.0>)`),
    `${time} | #####`,
  ];
  /** How long the run took, in minutes. */
  const minutesOf = (
    zone: string,
    lines: readonly string[],
    startsAt = start,
  ): [minutes: number, isOffZone: boolean | undefined] => {
    const reader = adminLog.open({ zone: new LocalZone(zone) });
    const read = (text: string): void => reader.read({ bytes: Buffer.from(text) }, () => undefined);
    read(header(startsAt));
    const startedAt = reader.run?.startedAt ?? 0;
    for (const line of lines) read(`${line}\n`);
    return [((reader.lastEventAt ?? 0) - startedAt) / 60_000, reader.run?.isOffZone];
  };

  test.each(['UTC', 'America/New_York'])('passes once where players are on: %s', (zone) => {
    const times = [...eachFiveMinutes(65, 180), ...eachFiveMinutes(120, 205)];
    const lists = times.flatMap((time) => list(time, idA, idB));
    expect(minutesOf(zone, [on('01:01:00', idA), on('01:01:00', idB), ...lists])).toEqual([200, true]);
    const quiet = [list('02:50:00', idA, idB), off('02:58:00', idA), off('02:02:00', idB)].flat();
    expect(minutesOf(zone, [on('01:01:00', idA), ...quiet])).toEqual([122, true]);
  });

  test('passes once in the log that identifies players', () => {
    const reader = serverReport.open({ zone: new LocalZone('UTC') });
    const lines = ['Current time:  2025/10/26 01:00:00', ' 2:58:00.824 Loading', ' 2:02:00.100 Loading', ''];
    reader.read({ bytes: Buffer.from(lines.join('\n')) }, () => undefined);
    expect(reader.lastEventAt).toBe(Date.parse('2025-10-26T03:02:00Z'));
  });

  test('is not missed by a log of the zone itself that had nobody on in the first of the two', () => {
    const lists = [...eachFiveMinutes(130, 180), '03:00:00'].flatMap((time) => list(time, idA));
    const before = [on('01:10:00', idB), off('01:58:00', idB)];
    expect(minutesOf('Europe/Berlin', [...before, on('02:06:00', idA), ...lists])[1]).toBe(false);
    const stayed = [on('01:10:00', idB), ...list('01:58:00', idB)];
    expect(minutesOf('Europe/Berlin', [...stayed, on('02:06:00', idA), ...lists])).toEqual([120, true]);
  });

  test('is not missed by a log of the zone itself that had nobody on in the second', () => {
    const lists = eachFiveMinutes(65, 180).flatMap((time) => list(time, idA));
    const lines = [on('01:01:00', idA), ...lists, off('02:58:00', idA), on('03:02:00', idA)];
    expect(minutesOf('Europe/Berlin', lines)).toEqual([182, false]);
  });

  test('is not counted twice where a run begins in the second, or nobody was on in the first', () => {
    const lines = [on('02:50:00', idA), ...list('02:55:00', idA), ...list('03:00:00', idA)];
    expect(minutesOf('Europe/Berlin', lines, '2025-10-26 02:48:00')).toEqual([12, false]);
    const before = [on('01:10:00', idB), off('01:58:00', idB)];
    expect(minutesOf('Europe/Berlin', [...before, ...lines])).toEqual([120, false]);
  });

  test('is the same hour of the next day where nobody was on', () => {
    const day = 24 * 60;
    expect(minutesOf('UTC', [on('01:01:00', idA), off('02:58:00', idA), on('02:02:00', idA)])).toEqual([
      day + 62,
      false,
    ]);
    const listed = [...list('02:55:00', idA, idB), off('02:57:00', idA), off('02:58:00', idB)];
    expect(minutesOf('UTC', [...listed, on('02:02:00', idA)])).toEqual([day + 62, false]);
  });

  test.each([
    ['02:55:00', '02:35:00'],
    ['02:58:00', '01:05:00'],
  ])('is another thing than a clock that is set right while players are on: %s to %s', (before, after) => {
    const lines = [...list(before, idA), ...list(after, idA), off('03:10:00', idA)];
    expect(minutesOf('UTC', lines)).toEqual([130, false]);
    expect(minutesOf('UTC', [off(before, idA), on(after, idA), off('03:10:00', idA)])).toEqual([
      24 * 60 + 130,
      false,
    ]);
  });
});
