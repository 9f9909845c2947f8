import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directPort } from '../../../src/server/files/direct-files.ts';
import { LocalFiles, type LocalFilesOptions } from '../../../src/server/files/local-files.ts';
import { temporaryFiles, temporaryFolder } from '../ingest/fixture.ts';

function localFiles(options: LocalFilesOptions = {}): LocalFiles {
  const files = new LocalFiles(options);
  onTestFinished(() => files.close());
  return files;
}

/** Files of which those that `hang` names do not answer, judged sooner than in real life. */
function hangingFiles(options: LocalFilesOptions = {}): LocalFiles {
  return localFiles({
    slowMs: 100,
    deadlineMs: 400,
    firstPauseMs: 50,
    longestPauseMs: 100,
    module: new URL('./hanging-process.js', import.meta.url),
    ...options,
  });
}

const hang = (path: string): void => writeFileSync(`${path}.hangs`, '');
const answer = (path: string): void => rmSync(`${path}.hangs`);

const isAlive = (id: number): boolean => {
  try {
    process.kill(id, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe.each([
  ['in other processes', () => localFiles().of('a')],
  ['in place', () => directPort],
])('files reached %s', (_, port) => {
  test('are listed although a link beside them leads nowhere or in a circle', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'one' }) as [string];
    symlinkSync('gone.ADM', join(path, '..', 'b.ADM'));
    symlinkSync('c.ADM', join(path, '..', 'c.ADM'));
    const entries = await port().list(join(path, '..'), { matching: /\.adm$/i, stat: 'all' });
    expect(entries.map(({ name, stat }) => [name, stat?.size ?? null])).toEqual([
      ['a.ADM', 3],
      ['b.ADM', null],
      ['c.ADM', null],
    ]);
  });

  test('are listed by name, with the state of those that are asked for', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'one', 'b.ADM': 'four', 'c.txt': '' }) as [string];
    const folder = join(path, '..');
    const files = port();
    expect(await files.list(folder, { matching: /\.adm$/i, stat: ['b.ADM', 'gone'] })).toEqual([
      { name: 'a.ADM', stat: null },
      { name: 'b.ADM', stat: { size: 4, changedAt: expect.any(Number), identity: expect.any(String) } },
    ]);
    const all = await files.list(folder, { matching: /\.adm$/i, stat: 'all' });
    expect(all.map(({ stat }) => stat?.size)).toEqual([3, 4]);
    expect(await files.stat(path)).toEqual(all[0]?.stat);
  });

  test('are read in parts, short where the file ends', async () => {
    const [path] = temporaryFiles({ 'a.ADM': '0123456789' }) as [string];
    const { stat, parts } = await port().read(path, [
      { offset: 2, length: 3 },
      { offset: 8, length: 99 },
      { offset: 50, length: 1 },
    ]);
    expect(stat.size).toBe(10);
    expect(parts.map(String)).toEqual(['234', '89', '']);
    expect(parts.every((part) => Buffer.isBuffer(part))).toBe(true);
  });

  test('are reported missing as by the file system', async () => {
    const missing = { code: 'ENOENT' };
    const files = port();
    await expect(files.list('/nowhere', { matching: /x/, stat: 'all' })).rejects.toMatchObject(missing);
    await expect(files.stat('/nowhere')).rejects.toMatchObject(missing);
    await expect(files.read('/nowhere', [])).rejects.toMatchObject(missing);
  });

  test.skipIf(process.platform === 'win32')(
    'are refused when they are pipes, devices, sockets or folders, which would hang or never end',
    async () => {
      const folder = temporaryFolder();
      const pipe = join(folder, 'a.ADM');
      execFileSync('mkfifo', [pipe]);
      mkdirSync(join(folder, 'b.ADM'));
      const socket = join(folder, 'c.ADM');
      const server = createServer().listen(socket);
      onTestFinished(() => void server.close());
      const files = port();
      for (const [path, message] of [
        [pipe, /is a named pipe \(FIFO\), a regular file was expected/],
        ['/dev/zero', /is a device, a regular file was expected/],
        [socket, /is a socket/],
        [join(folder, 'b.ADM'), /is a folder/],
      ] as const) {
        await expect(files.stat(path)).rejects.toThrow(message);
        await expect(files.read(path, [{ offset: 0, length: 1 }])).rejects.toThrow(message);
      }
      const entries = await files.list(folder, { matching: /a\.ADM/, stat: 'all' });
      expect(entries).toMatchObject([{ name: 'a.ADM', stat: { size: 0 } }]);
    },
  );
});

describe('a source that does not answer', () => {
  test('is refused after the deadline, says since when, and recovers by itself when it responds', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'x' }) as [string];
    hang(path);
    const moment = Date.parse('2026-03-29T01:30:00Z');
    const clock = { now: () => moment, monotonic: () => performance.now() };
    let silences = 0;
    const port = hangingFiles({ clock }).of('a', () => (silences += 1));
    const refused = { code: 'ESILENT', message: expect.stringContaining('since 2026-03-29 01:30:00 UTC') };
    await expect(port.stat(path)).rejects.toMatchObject(refused);
    await expect(port.stat(path)).rejects.toMatchObject(refused);
    expect(silences).toBeGreaterThan(1);
    answer(path);
    await expect.poll(() => port.stat(path)).toMatchObject({ size: 1 });
    hang(path);
    await expect(port.stat(path)).rejects.toMatchObject(refused);
  });

  test('keeps no other waiting, however many there are, and all of them take one process', async () => {
    const [healthy, ...hung] = temporaryFiles(
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.ADM`, 'x'])),
    ) as [string, ...string[]];
    for (const path of hung) hang(path);
    const files = hangingFiles({ deadlineMs: 600_000 });
    const asked = hung.map((path) => files.of(path).stat(path));
    const outcomes = Promise.allSettled(asked);
    // The first requests of each hold up others for as long as nobody knows.
    await files.of(healthy).stat(healthy);
    await expect.poll(() => files.processIds.length).toBeGreaterThan(0);
    for (let i = 0; i < 50; i++) {
      expect(await files.of(healthy).read(healthy, [{ offset: 0, length: 1 }])).toMatchObject({
        stat: { size: 1 },
      });
    }
    expect(files.processIds.length).toBeLessThanOrEqual(4);
    for (const path of hung) answer(path);
    expect((await outcomes).map(({ status }) => status)).toEqual(hung.map(() => 'fulfilled'));
  });

  test('loses no request: those behind it are answered by another process', async () => {
    const paths = temporaryFiles({ 'a.ADM': 'x', 'b.ADM': 'xx', 'c.ADM': 'xxx' });
    const [hung, ...others] = paths as [string, ...string[]];
    hang(hung);
    // Long enough for a process on a busy machine: one that counts as silent as well would wait for the first one's deadline.
    const files = hangingFiles({ processes: 1, slowMs: 2_000, deadlineMs: 600_000 });
    const waiting = files.of('a').stat(hung);
    const answers = await Promise.all(others.map((path) => files.of(path).stat(path)));
    expect(answers.map(({ size }) => size)).toEqual([2, 3]);
    answer(hung);
    expect(await waiting).toMatchObject({ size: 1 });
  });

  test('does not outlive the port, which ends at once', async () => {
    const [path, other] = temporaryFiles({ 'a.ADM': 'x', 'b.ADM': 'x' }) as [string, string];
    const files = hangingFiles({ slowMs: 60_000 });
    await files.of('b').stat(other);
    hang(path);
    const waiting = files.of('a').stat(path);
    const processes = files.processIds;
    expect(processes).not.toEqual([]);
    files.close();
    await expect(waiting).rejects.toMatchObject({ code: 'ECLOSED' });
    await expect(files.of('b').stat(other)).rejects.toMatchObject({ code: 'ECLOSED' });
    await expect.poll(() => processes.filter(isAlive)).toEqual([]);
  });
});

test('many sources share a few processes, which are started when they are needed', async () => {
  const folder = temporaryFolder();
  const paths = Array.from({ length: 300 }, (_, i) => join(folder, `${i}.ADM`));
  for (const path of paths) appendFileSync(path, path);
  const files = localFiles();
  expect(files.processIds).toEqual([]);
  await files.of('first').stat(paths[0] as string);
  expect(files.processIds).toHaveLength(1);
  const read = await Promise.all(
    paths.map((path) => files.of(path).read(path, [{ offset: 0, length: 9_999 }])),
  );
  expect(read.map(({ parts }) => String(parts[0]))).toEqual(paths);
  expect(files.processIds.length).toBeLessThanOrEqual(4);
});

test('a process that is still loading is waited for: one serves the sources of a start', async () => {
  const [path] = temporaryFiles({ 'a.ADM': 'x' }) as [string];
  const files = localFiles({ module: new URL('./slow-start-process.js', import.meta.url) });
  const stats = await Promise.all(['a', 'b', 'c'].map((source) => files.of(source).stat(path)));
  expect(stats.map(({ size }) => size)).toEqual([1, 1, 1]);
  expect(files.processIds).toHaveLength(1);
});

test('a process that ends by itself is replaced, and what it was reading is read', async () => {
  const [path] = temporaryFiles({ 'a.ADM': 'x' }) as [string];
  const files = hangingFiles({ slowMs: 60_000 });
  const port = files.of('a');
  await port.stat(path);
  hang(path);
  const reading = port.stat(path);
  const [former = 0] = files.processIds;
  process.kill(former, 'SIGKILL');
  answer(path);
  expect(await reading).toMatchObject({ size: 1 });
  expect(files.processIds).not.toContain(former);
});

test('its processes know nothing of the environment, which may hold secrets', async () => {
  const files = localFiles();
  await files.of('a').list('.', { matching: /x/, stat: [] });
  const [id = 0] = files.processIds;
  if (process.platform !== 'linux') return;
  const names = readFileSync(`/proc/${id}/environ`, 'latin1')
    .split('\0')
    .map((one) => one.split('=')[0]);
  expect(names.filter((name) => name !== '' && name?.startsWith('NODE_CHANNEL_') !== true)).toEqual([]);
});
