import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directFiles } from '../../src/local/direct-files.ts';
import type { FileAccess } from '../../src/file-access.ts';
import { LocalFiles } from '../../src/local/local-files.ts';
import { temporaryFiles, temporaryFolder } from '../temporary-folder.ts';

/** Files of which those in `hung` do not answer, judged sooner than in real life. */
function hangingFiles() {
  const hung = new Map<string, Promise<void>>();
  let asked = 0;
  const source: FileAccess = {
    ...directFiles,
    async stat(path) {
      asked += 1;
      await hung.get(path);
      return await directFiles.stat(path);
    },
  };
  const files = new LocalFiles({ deadlineMs: 100, files: source });
  onTestFinished(() => files.close());
  return {
    files,
    asked: () => asked,
    /** Returns what makes it answer. */
    hang(path: string): () => void {
      let answer = (): void => undefined;
      hung.set(path, new Promise((resolve) => (answer = resolve)));
      return () => {
        hung.delete(path);
        answer();
      };
    },
  };
}

describe.each([
  ['for a source', () => new LocalFiles().of('logs')],
  ['in place', () => directFiles],
])('files reached %s', (_, open) => {
  test('are listed although a link beside them leads nowhere or in a circle', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'one' }) as [string];
    symlinkSync('gone.ADM', join(path, '..', 'b.ADM'));
    symlinkSync('c.ADM', join(path, '..', 'c.ADM'));
    const entries = await open().list(join(path, '..'), { matching: /\.adm$/i, stat: 'all' });
    expect(entries.map(({ name, stat }) => [name, stat?.size ?? null])).toEqual([
      ['a.ADM', 3],
      ['b.ADM', null],
      ['c.ADM', null],
    ]);
  });

  test('are listed by name, with the state of those that are asked for', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'one', 'b.ADM': 'four', 'c.txt': '' }) as [string];
    const folder = join(path, '..');
    const files = open();
    expect(await files.list(folder, { matching: /\.adm$/i, stat: ['b.ADM', 'gone'] })).toEqual([
      { name: 'a.ADM', stat: null },
      { name: 'b.ADM', stat: { size: 4, changedAt: expect.any(Number), identity: expect.any(String) } },
    ]);
    const all = await files.list(folder, { matching: /\.adm$/i, stat: 'all' });
    expect(all.map(({ stat }) => stat?.size)).toEqual([3, 4]);
    expect(await files.stat(path)).toEqual(all[0]?.stat);
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
      const files = open();
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
  const refused = {
    code: 'EREMOTE',
    message: expect.stringMatching(/^has not answered since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/),
  };

  test('is refused after the deadline, says since when, and recovers by itself when it responds', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'x' }) as [string];
    const { files, hang, asked } = hangingFiles();
    const source = files.of('logs');
    const answer = hang(path);
    await expect(source.stat(path)).rejects.toMatchObject(refused);
    for (let i = 0; i < 10; i++) await expect(source.stat(path)).rejects.toMatchObject(refused);
    // Through whichever access of the source.
    for (let i = 0; i < 3; i++) await expect(files.of('logs').stat(path)).rejects.toMatchObject(refused);
    // Each request would take a thread.
    expect(asked()).toBe(1);
    answer();
    await expect.poll(() => source.stat(path)).toMatchObject({ size: 1 });
    hang(path);
    await expect(source.stat(path)).rejects.toMatchObject(refused);
  });

  test('keeps no other waiting', async () => {
    const [path, other] = temporaryFiles({ 'a.ADM': 'x', 'b.ADM': 'xx' }) as [string, string];
    const { files, hang } = hangingFiles();
    hang(path);
    const waiting = files
      .of('logs')
      .stat(path)
      .catch(() => 'refused');
    expect(await files.of('bans').stat(other)).toMatchObject({ size: 2 });
    expect(await waiting).toBe('refused');
    expect(await files.of('bans').stat(other)).toMatchObject({ size: 2 });
  });

  test('is given up at once when the files are closed', async () => {
    const [path] = temporaryFiles({ 'a.ADM': 'x' }) as [string];
    const files = new LocalFiles({ files: { ...directFiles, stat: () => new Promise(() => undefined) } });
    const source = files.of('logs');
    const waiting = source.stat(path);
    files.close();
    await expect(waiting).rejects.toMatchObject({ code: 'ECLOSED' });
    await expect(source.stat(path)).rejects.toMatchObject({ code: 'ECLOSED' });
  });
});
