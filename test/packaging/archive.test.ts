import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list } from 'tar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pack } from '../../scripts/package/archive.ts';

const time = new Date('2026-11-22T12:00:00Z');
let folder: string;
let contents: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-archive-'));
  contents = join(folder, 'one/outpost-1.2.3-linux-x64');
  mkdirSync(join(contents, 'app'), { recursive: true });
  writeFileSync(join(contents, 'outpost'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(contents, 'app/b.js'), 'b');
  writeFileSync(join(contents, 'app/a.js'), 'a');
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['tar.gz', false],
  ['zip', true],
])(
  'packs the same files to the same %s, whenever they were written, with its digest beside it',
  async (ending, isWindows) => {
    const copy = join(folder, 'two/outpost-1.2.3-linux-x64');
    cpSync(contents, copy, { recursive: true });
    utimesSync(join(copy, 'app/a.js'), 1, 1);
    const archives = [await pack(contents, isWindows, time), await pack(copy, isWindows, time)];
    const [one, two] = archives.map((archive) => readFileSync(archive));
    expect(one?.equals(two as Buffer)).toBe(true);
    expect(archives[0]).toBe(`${contents}.${ending}`);
    const digest = createHash('sha256')
      .update(one as Buffer)
      .digest('hex');
    expect(readFileSync(`${archives[0]}.sha256`, 'utf8')).toBe(
      `${digest}  outpost-1.2.3-linux-x64.${ending}\n`,
    );
  },
);

it('lists files in order of their names, without an owner, programs as such', async () => {
  const entries: [string, number | undefined, number | undefined][] = [];
  const file = await pack(contents, false, time);
  await list({ file, onReadEntry: ({ path, mode, uid }) => void entries.push([path, mode, uid]) });
  const name = 'outpost-1.2.3-linux-x64';
  expect(entries).toEqual([
    [`${name}/app/a.js`, 0o644, undefined],
    [`${name}/app/b.js`, 0o644, undefined],
    [`${name}/outpost`, 0o755, undefined],
  ]);
});
