import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-release-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('packs a release whose demo runs with nothing but what is in it, twice the same', () => {
  // A distribution's Node.js may have its license elsewhere.
  const license = join(folder, 'LICENSE');
  writeFileSync(license, 'Node.js is licensed for use as follows.');
  const [one, two] = ['one', 'two'].map((name) => {
    const out = join(folder, name);
    const args = ['scripts/package.ts', '--out', out, '--node-license', license];
    // It tries the archive before it names it.
    const archive = execFileSync(process.execPath, ['--import', 'tsx', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(readdirSync(out)).toHaveLength(2);
    return readFileSync(`${archive.trim()}.sha256`, 'utf8');
  });
  expect(one).toBe(two);
});
