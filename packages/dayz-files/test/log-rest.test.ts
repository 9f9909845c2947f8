import { describe, expect, test } from 'vitest';
import { adminLog, type GameEvent, LocalZone, type LogRest, readBlocks, runOfRest } from '../src/index.ts';
import { header, idA, sourceOf } from './fixture.ts';

const line = (time: string, id: string = idA): string =>
  `${time} | Player "A" (id=${id} pos=<1.0, 2.0, 3.0>)\n`;

async function restOf(text: string): Promise<LogRest | null> {
  return (await adminLog.starts?.readRest(readBlocks(sourceOf(text)))) ?? null;
}

const headerOf = async (text: string, writtenAt: string, zone = 'UTC'): Promise<string | undefined> => {
  const rest = await restOf(text);
  return rest === null ? undefined : runOfRest(rest, new LocalZone(zone), Date.parse(writtenAt), null).header;
};

describe('a log without a header', () => {
  test.each([
    [
      'begins on the day on which its file was changed',
      line('12:00:00'),
      '2024-05-01T12:00:01Z',
      '2024-05-01 12:00:00',
    ],
    ['was written in the evening before', line('23:59:59'), '2024-05-02T00:00:01Z', '2024-05-01 23:59:59'],
    [
      'passes midnights, but not by the jitter of lines',
      ['22:00:00', '00:00:01', '23:59:59', '00:00:02', '10:00:00', '09:00:00']
        .map((time) => line(time))
        .join(''),
      '2024-05-03T09:00:01Z',
      '2024-05-01 22:00:00',
    ],
    ['has an hour padded by a space', line(' 0:47:30'), '2024-05-01T12:00:00Z', '2024-05-01 00:47:30'],
    [
      'has the end of a line first, and the next run after it',
      `wn\n${line('23:00:00')}${header('2024-05-02 00:10:00')}${line('00:11:00')}`,
      '2024-06-01T00:00:00Z',
      '2024-05-01 23:00:00',
    ],
  ])('%s', async (_, text, writtenAt, expected) => {
    expect(await headerOf(text, writtenAt)).toBe(expected);
  });

  test('is dated in the zone of the server', async () => {
    expect(await headerOf(line('23:30:00'), '2024-05-01T21:30:01Z', 'Europe/Berlin')).toBe(
      '2024-05-01 23:30:00',
    );
    expect(await headerOf(line('00:30:00'), '2024-05-01T22:30:01Z', 'Europe/Berlin')).toBe(
      '2024-05-02 00:30:00',
    );
  });

  test('counts from its first line in the repetition of an hour in autumn, up to which lines were counted before', async () => {
    const rest = (await restOf(line('02:20:00')))!;
    const zone = new LocalZone('Europe/Berlin');
    // 02:40:00 for the first time.
    const countedUntil = Date.parse('2026-10-25T00:40:00Z');
    expect(runOfRest(rest, zone, Date.parse('2026-10-25T01:20:00Z'), countedUntil)).toMatchObject({
      header: '2026-10-25 02:20:00',
      countsAfter: null,
    });
  });

  test('is known by its first line that names a player, whatever its line ends are', async () => {
    const text = `12:00:00 | ##### PlayerList log: 1 players\n${line('12:00:00')}`;
    const { digest } = (await restOf(text)) as LogRest;
    expect(await restOf(`${text}${line('12:05:00')}`.replaceAll('\n', '\r\n'))).toMatchObject({ digest });
    expect(await restOf(line('12:00:01'))).not.toMatchObject({ digest });
    expect(await restOf('12:00:00 | ##### PlayerList log: 0 players\n')).toBeNull();
  });

  test('counts what follows the lines of its file that were counted before a tool has cut off its start', async () => {
    const zone = new LocalZone('Europe/Berlin');
    const text = line('12:00:00') + line('12:10:00') + line('12:20:00');
    const rest = (await restOf(text)) as LogRest;
    const writtenAt = Date.parse('2024-05-01T10:20:01Z');
    const runFrom = (countedUntil: string) => runOfRest(rest, zone, writtenAt, Date.parse(countedUntil));
    expect(runFrom('2024-05-01T09:59:00Z').countsAfter).toBeNull();
    // By jitter.
    expect(runFrom('2024-05-01T10:00:03Z').countsAfter).toBeNull();
    expect(runFrom('2024-05-01T10:10:00Z').countsAfter).toBe('2024-05-01 12:10:00');
    const times: string[] = [];
    const reader = adminLog.open({ zone, rest: runFrom('2024-05-01T10:10:00Z') });
    reader.read({ bytes: Buffer.from(text) }, ({ at }) =>
      times.push(new Date(at ?? 0).toISOString().slice(11, 16)),
    );
    // The run begins, and the only line after that.
    expect(times).toEqual(['10:10', '10:20']);
  });

  test('is read as a run, up to the next header', () => {
    const events: GameEvent[] = [];
    const rest = { header: '2024-05-01 12:00:00', digest: 'abcdef01', countsAfter: null };
    const reader = adminLog.open({ zone: new LocalZone('UTC'), rest });
    const text = `wn\n${line('12:00:00')}${header('2024-05-02 00:10:00')}`;
    reader.read({ bytes: Buffer.from(text) }, (event) => {
      events.push(event);
      if (event.kind === 'run-ended') expect(reader.run).toMatchObject({ rest, unreadLines: 1 });
    });
    expect(events).toMatchObject([
      { kind: 'run-started', header: rest.header, isRest: true, at: Date.parse('2024-05-01T12:00:00Z') },
      { kind: 'seen', at: Date.parse('2024-05-01T12:00:00Z') },
      { kind: 'run-ended' },
      { kind: 'run-started', header: '2024-05-02 00:10:00', isRest: false },
    ]);
  });
});
