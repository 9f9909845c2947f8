import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** A number that no user has. */
const nobody = 42_424;
const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)('is set up by a user without a name and a home, as in a container (needs root)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-no-home-'));
  chownSync(folder, nobody, nobody);
  const args = [main, 'init', '--yes', '--no-discord', '--no-server', '--name', 'Northwood'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    uid: nobody,
    gid: nobody,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(folder, 'config/outpost.yaml'), 'utf8')).toContain('Northwood');
  rmSync(folder, { recursive: true });
});
