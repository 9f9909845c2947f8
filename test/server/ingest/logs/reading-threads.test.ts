import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { importAdminLogs } from '../../../../src/server/ingest/logs/admin-log-import.ts';
import { contents, header, idA, idB, sampleLogs, temporaryFiles, temporaryStore } from '../fixture.ts';

const threads = 2;
/** A list of files for a thread is full with one of these. */
const manyLines = 3000;

const log = (start: string, lines: readonly string[]): string => `${header(start)}${lines.join('\n')}\n`;
const connections = (id: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const time = new Date(at * 1000).toISOString().slice(11, 19);
    return `${time} | Player "A"(id=${id}) ${at % 2 === 0 ? 'is connected' : 'has been disconnected'}`;
  });

describe('logs that are read in threads', () => {
  test('bring the same as logs that are read in place', async () => {
    const options = { serverId: 'server-a', files: sampleLogs('server-a').toReversed(), examples: true };
    const here = await temporaryStore(['server-a'], 'Europe/Berlin');
    const there = await temporaryStore(['server-a'], 'Europe/Berlin');
    const seen: number[] = [];
    const reportHere = await importAdminLogs(here, options);
    const reportThere = await importAdminLogs(there, {
      ...options,
      threads,
      onProgress: ({ bytesDone, bytesTotal }) => seen.push(bytesTotal - bytesDone),
    });
    expect(reportThere).toEqual(reportHere);
    expect(await contents(there)).toEqual(await contents(here));
    expect(seen.at(-1)).toBe(0);
  });

  test('are compared with copies that another thread has read', async () => {
    const lines = connections(idA, manyLines);
    const start = '2024-05-01 00:00:00';
    const files = temporaryFiles({
      'short.ADM': log(start, lines.slice(0, -100)),
      'whole.ADM': log(start, lines),
      'other.ADM': log(start, connections(idB, manyLines - 10)),
      'next.ADM': log('2024-05-02 00:00:00', lines),
    });
    const db = await temporaryStore();
    const left: number[] = [];
    const report = await importAdminLogs(db, {
      serverId: 's',
      files,
      threads,
      onProgress: ({ bytesDone, bytesTotal }) => left.push(bytesTotal - bytesDone),
    });
    expect(Math.min(...left)).toBe(0);
    expect(report.runs).toEqual({ new: 2, longer: 0, known: 2, diverged: 0 });
    const again = await importAdminLogs(db, { serverId: 's', files, threads });
    expect(again.runs).toEqual({ new: 0, longer: 0, known: 4, diverged: 0 });
    const alone = await temporaryStore();
    await importAdminLogs(alone, { serverId: 's', files });
    expect(await contents(db)).toEqual(await contents(alone));
  });

  test('are named when they cannot be read, and the others are imported', async () => {
    const [bad, good] = temporaryFiles({
      'bad.ADM': 'hello\n',
      'good.ADM': log('2024-05-01 00:00:00', connections(idA, 2)),
    }) as [string, string];
    const db = await temporaryStore();
    const report = await importAdminLogs(db, { serverId: 's', files: [bad, good], threads });
    expect(report.failures).toEqual([
      { file: bad, message: expect.stringContaining('is not a DayZ admin log') },
    ]);
    expect(report.files.map(({ file }) => file)).toEqual([good]);
  });

  test('are read in place when their threads die', async () => {
    const options = { serverId: 'server-a', files: sampleLogs('server-a') };
    const here = await temporaryStore(['server-a'], 'Europe/Berlin');
    const there = await temporaryStore(['server-a'], 'Europe/Berlin');
    const report = await importAdminLogs(here, options);
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
      void this.terminate();
    });
    try {
      expect(await importAdminLogs(there, { ...options, threads })).toEqual(report);
    } finally {
      post.mockRestore();
    }
    expect(await contents(there)).toEqual(await contents(here));
  });

  test('that are stopped leave whole files behind, and the rest is read another time', async () => {
    const files = temporaryFiles(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, day) => {
          const start = new Date(Date.UTC(2024, 4, 1 + day)).toISOString().slice(0, 10);
          return [`${day}.ADM`, log(`${start} 00:00:00`, connections(idA, manyLines))];
        }),
      ),
    );
    const db = await temporaryStore();
    const stop = new AbortController();
    const stopped = await importAdminLogs(db, {
      serverId: 's',
      files,
      threads,
      signal: stop.signal,
      onProgress: ({ filesDone }) => {
        if (filesDone >= 5) stop.abort();
      },
    });
    expect(stopped.files.length).toBeGreaterThanOrEqual(5);
    expect(stopped.files.length).toBeLessThan(60);
    const rest = await importAdminLogs(db, { serverId: 's', files, threads });
    expect(rest.runs).toMatchObject({ new: 60 - stopped.runs.new, known: stopped.runs.new });
    const undisturbed = await temporaryStore();
    await importAdminLogs(undisturbed, { serverId: 's', files });
    expect(await contents(db)).toEqual(await contents(undisturbed));
  });
});
