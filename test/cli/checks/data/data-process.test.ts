import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspectDataFolder } from '../../../../src/cli/checks/data/data-process.ts';
import { lockDataFolder } from '../../../../src/server/store/engine/folder-lock.ts';
import { version } from '../../../../src/process/version.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a folder that is not there yet is created by nobody', async () => {
  const folder = join(temporaryFolder(), 'data');
  const { holder, findings } = inspectDataFolder({ folder, hasStore: true }, 60_000);
  expect(await holder).toBeNull();
  expect((await findings).map(({ status }) => status)).toEqual(['good', 'good', 'good']);
  expect(existsSync(folder)).toBe(false);
});

test('says who runs on the folder, and that nobody does afterwards', async () => {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder, { mode: 0o700 });
  const lock = lockDataFolder(folder, 'outpost.yaml', Date.now());
  expect(await inspectDataFolder({ folder, hasStore: true }, 60_000).holder).toMatchObject({
    pid: process.pid,
    version,
  });
  lock.release();
  expect(await inspectDataFolder({ folder, hasStore: true }, 60_000).holder).toBeNull();
});

test('a folder that does not answer in time is given up, with what was being checked', async () => {
  // No process starts as fast as that.
  const { holder, findings } = inspectDataFolder({ folder: temporaryFolder(), hasStore: true }, 1);
  expect(await holder).toBeUndefined();
  expect(await findings).toEqual([
    expect.objectContaining({
      status: 'warning',
      found: 'the data folder could not be checked: no result within 0.001 s',
      next: expect.stringContaining('run the doctor again'),
    }),
  ]);
});
