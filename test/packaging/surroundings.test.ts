import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { licensePlaces, needsLibraries, timeOfRelease } from '../../scripts/package/surroundings.ts';

it('finds the license of a Node.js of its makers and of distributions', () => {
  expect(licensePlaces('/opt/node/bin/node')).toContain('/opt/node/LICENSE');
  // Debian's, NodeSource's, and Fedora's and Arch's.
  expect(licensePlaces('/usr/bin/node')).toEqual(
    expect.arrayContaining([
      '/usr/share/doc/nodejs/copyright',
      '/usr/share/doc/nodejs/LICENSE',
      '/usr/share/licenses/nodejs/LICENSE',
    ]),
  );
});

it('takes the time of an unpacked source archive from its files, where there is no commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-source-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{}');
  utimesSync(join(folder, 'package.json'), 1_700_000_000, 1_700_000_000);
  expect(timeOfRelease(folder, undefined)).toEqual(new Date(1_700_000_000_000));
  expect(timeOfRelease(folder, '1600000000')).toEqual(new Date(1_600_000_000_000));
});

it('knows a Node.js that runs only beside the libraries of its distribution', () => {
  expect(needsLibraries({ node_shared: false, node_shared_libuv: false })).toBe(false);
  expect(needsLibraries({ node_shared: false, node_shared_libuv: true })).toBe(true);
});
