import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { storeFile } from '../../src/server/store/engine/database.ts';
import { lockDataFolder } from '../../src/server/store/engine/folder-lock.ts';
import { outpost } from '../harness/command-line.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-cli-backup-'));
  data = join(folder, 'data');
  const config = join(folder, 'outpost.yaml');
  writeFileSync(
    config,
    `projects: [{ slug: p, name: P, servers: [{ id: s, name: S, host: 127.0.0.1, port: 1 }] }]`,
  );
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function outpostJson(...args: string[]): Promise<Record<string, string>> {
  const { code, out } = await outpost(...args, '--json');
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, string>;
}

const createApp = (name: string) =>
  outpostJson('app', 'create', '--project', 'p', '--name', name, '--scopes', 'all');

test('a backup goes into the data folder, or to a file or folder of the owner', async () => {
  await createApp('one');
  const { code, out } = await outpost('backup');
  expect(code).toBe(0);
  expect(out).toMatch(/^Backed up to .*data.backups.outpost-[\dTZ-]+\.sqlite\.gz \([\d.]+ KB\)\./);
  expect(out).toMatch(/Not part of it: the config, \.env\. Copy them/);
  const other = join(folder, 'other');
  mkdirSync(other);
  expect((await outpostJson('backup', other))['file']).toMatch(/other.outpost-.*\.sqlite\.gz$/);
  const file = join(folder, 'mine.sqlite.gz');
  expect(await outpostJson('backup', file)).toEqual({ file, bytes: expect.any(Number) });
  const again = await outpost('backup', file);
  expect(again).toMatchObject({ code: 1, err: `${file} exists already: name another file, or delete it.` });
  const away = join(folder, 'mnt');
  expect(await outpost('backup', away)).toMatchObject({
    code: 1,
    err: `There is no folder ${away}, so there is no backup. Mount or create it; for a file, give a name such as ${away}.sqlite.gz.`,
  });
  expect(existsSync(away)).toBe(false);
});

test('a backup of nothing is a mistake, and creates nothing', async () => {
  const { code, err } = await outpost('backup');
  expect(code).toBe(1);
  expect(err).toMatch(/^there is nothing to back up: .* OUTPOST_DATA\.$/);
  expect(existsSync(data)).toBe(false);
});

test('a restore says what it did, and where the data from before are', async () => {
  await createApp('one');
  const { file } = await outpostJson('backup');
  await createApp('two');
  const { code, out } = await outpost('restore', file!);
  expect(code).toBe(0);
  expect(out).toMatch(/^Restored .* into .*data\./);
  expect(out).toMatch(/The data from before are in .*before-restore-/);
  expect((await outpost('app', 'list')).out).toMatch(/one(?!.*two)/s);
  const before = readdirSync(data).find((name) => name.startsWith('before-restore-')) ?? '';
  vi.stubEnv('OUTPOST_DATA', join(data, before));
  expect((await outpost('app', 'list')).out).toContain('two');
});

test('a restore is refused while Outpost runs, with what to do', async () => {
  await createApp('one');
  const { file } = await outpostJson('backup');
  const lock = lockDataFolder(data, 'outpost.yaml', Date.now());
  const { code, err } = await outpost('restore', file!);
  lock.release();
  expect(code).toBe(1);
  expect(err).toContain('another Outpost is running on the data folder');
  expect(existsSync(storeFile(data))).toBe(true);
});

test('Ctrl+C stops a backup and a restore, and leaves nothing behind', async () => {
  await createApp('one');
  const { file } = await outpostJson('backup');
  const before = readdirSync(data);
  const interrupted = async (...args: string[]) => {
    const running = run(args, { out: () => undefined, err: (text) => void messages.push(text) });
    // The command listens once it works.
    await vi.waitUntil(() => process.listenerCount('SIGINT') > listeners, { timeout: 60_000, interval: 0 });
    process.emit('SIGINT');
    return await running;
  };
  const messages: string[] = [];
  const listeners = process.listenerCount('SIGINT');
  expect(await interrupted('backup', '--json')).toBe(1);
  expect(await interrupted('restore', file!, '--json')).toBe(1);
  expect(process.listenerCount('SIGINT')).toBe(listeners);
  expect(readdirSync(join(data, 'backups'))).toHaveLength(1);
  expect(readdirSync(data).filter((name) => !/lock|-wal|-shm/.test(name))).toEqual(
    before.filter((name) => !/lock|-wal|-shm/.test(name)),
  );
});
