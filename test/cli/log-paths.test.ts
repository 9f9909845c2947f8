import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesOf } from '../../src/cli/import/log-paths.ts';
import { logFormatsOf } from '../../src/server/games/index.ts';

test('a folder that exists is meant literally, whatever its name would mean in a pattern', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-paths-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logs = join(folder, 'Program Files (x86)', '[EU] North');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, 'one.ADM');
  writeFileSync(log, '');
  for (const pattern of ['*.ADM', '../[[]EU[]]*/o*.ADM', '{one,two}.ADM'])
    expect(filesOf(`${logs}/${pattern}`, logFormatsOf('dayz')), pattern).toEqual([log]);
  expect(filesOf(`${folder}/**/*.ADM`, logFormatsOf('dayz'))).toEqual([log]);
});
