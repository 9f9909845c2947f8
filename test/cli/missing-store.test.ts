import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { outpost } from '../harness/command-line.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-missing-store-'));
  data = join(folder, 'data');
  const config = join(folder, 'outpost.yaml');
  writeFileSync(config, 'projects: [{ slug: p, name: P, banlists: [{ id: bans, name: Bans }] }]');
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const player = '76561198207985320';

describe.each(['a folder that does not exist', 'an empty folder'])('in %s', (place) => {
  const before = place === 'an empty folder' ? [] : null;
  beforeEach(() => {
    if (before !== null) mkdirSync(data);
  });

  test.each([
    ['app', 'list'],
    ['app', 'revoke', 'app_x'],
    ['player', 'export', player],
    ['player', 'hide', player],
    ['player', 'forget', player, '--yes'],
    ['server', 'forget', 's', '--yes'],
    ['sources'],
    ['ban', 'lift', '--banlist', 'bans', '--player', player],
  ])('%s %s says that there is no store, and creates none', async (...args) => {
    const { code, out, err } = await outpost(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(
      `there is no store in ${data}. Name the data folder of your Outpost in OUTPOST_DATA; a new one gets its store at the first start.`,
    );
    expect(existsSync(data) ? readdirSync(data) : null).toEqual(before);
  });

  test.each([
    ['backup', [], 'there is nothing to back up'],
    ['store', ['copy', '--to', 'postgres://u:p@127.0.0.1:1/x'], 'there is nothing to copy'],
    ['restore', ['/no/such/file'], '/no/such/file cannot be restored: there is no such file'],
    ['restore', [import.meta.filename], 'cannot be restored'],
  ])('%s %j leaves nothing behind', async (command, args, message) => {
    const { code, err } = await outpost(command, ...args);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(existsSync(data) ? readdirSync(data) : null).toEqual(before);
  });
});
