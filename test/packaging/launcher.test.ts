import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const launchers = fileURLToPath(new URL('../../packaging/launchers', import.meta.url));
const isWindows = process.platform === 'win32';

let folder: string;
let home: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'outpost launcher-')));
  home = join(folder, 'out post');
  mkdirSync(join(home, 'node'), { recursive: true });
  copyFileSync(join(launchers, 'outpost'), join(home, 'outpost'));
  // Stands in for Node.js: prints where it is and what it was given.
  writeFileSync(join(home, 'node/node'), '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (launcher: string, ...args: string[]): string[] =>
  execFileSync(launcher, args, { cwd: folder, encoding: 'utf8' }).trimEnd().split('\n');

it.skipIf(isWindows)(
  "starts the Node.js beside it in the caller's folder, with every argument as it is",
  () => {
    expect(run(join(home, 'outpost'), 'ban', 'two words', '')).toEqual([
      folder,
      join(home, 'app/dist/main.js'),
      'ban',
      'two words',
    ]);
  },
);

it.skipIf(isWindows)('is found through links, relative ones too', () => {
  symlinkSync('out post/outpost', join(folder, 'near'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync('../near', join(folder, 'bin/far'));
  symlinkSync(join(home, 'outpost'), join(folder, 'bin/absolute'));
  for (const link of ['near', 'bin/far', 'bin/absolute']) {
    expect(run(join(folder, link))).toEqual([folder, join(home, 'app/dist/main.js')]);
  }
});

it('has lines that end as the shell of each system needs them', () => {
  expect(readFileSync(join(launchers, 'outpost'), 'utf8')).not.toContain('\r');
  const lines = readFileSync(join(launchers, 'outpost.cmd'), 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.every((line) => line.endsWith('\r'))).toBe(true);
});
