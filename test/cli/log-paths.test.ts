import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesOf } from '../../src/cli/import/import-adm.ts';
import { logFormatsOf } from '../../src/server/games/index.ts';

test('a folder stands for the logs in it and below it, a file for itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-paths-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const formats = logFormatsOf('dayz');
  expect(() => filesOf(folder, formats)).toThrow(/no \.ADM.* in this folder or below it/);
  mkdirSync(join(folder, '2024', '[EU] North (x86)'), { recursive: true });
  const logs = ['2024/[EU] North (x86)/b.ADM', '2024/a.ADM', 'c.adm'].map((name) => join(folder, name));
  for (const file of [...logs, join(folder, 'readme.txt')]) writeFileSync(file, '');
  expect(filesOf(folder, formats)).toEqual(logs);
  expect(filesOf(join(folder, 'gone.ADM'), formats)).toEqual([join(folder, 'gone.ADM')]);
});

test('links to folders are not followed, and a folder that may not be read is kept for the import to report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-paths-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'b'));
  const logs = ['a.ADM', 'b/b.ADM'].map((name) => join(folder, name));
  for (const file of logs) writeFileSync(file, '');
  symlinkSync(folder, join(folder, 'b', 'above'), 'junction');
  symlinkSync(folder, join(folder, 'self'), 'junction');
  const formats = logFormatsOf('dayz');
  expect(filesOf(folder, formats)).toEqual(logs);
  // Windows has no modes, and root may read everything.
  if (process.platform === 'win32' || process.getuid?.() === 0) return;
  const locked = join(folder, 'lost+found');
  mkdirSync(locked);
  chmodSync(locked, 0);
  expect(filesOf(folder, formats)).toEqual([...logs, locked]);
});
