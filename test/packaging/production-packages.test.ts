import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { productionPackages } from '../../scripts/package/production-packages.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'outpost-lock-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A project with this lock, in which every package but those for other platforms is installed. */
function install(packages: Record<string, object>): void {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  for (const place of Object.keys(packages)) {
    if (!place.includes('win32')) mkdirSync(join(root, place), { recursive: true });
  }
}
const places = (...without: string[]): string[] =>
  productionPackages(root, without).map(({ place }) => place);

it('follows dependencies to the nearest copy, past development and install-only ones', () => {
  install({
    '': { dependencies: { a: '1', native: '1' }, devDependencies: { vitest: '1' } },
    'node_modules/a': { dependencies: { b: '1', '@types/node': '1' } },
    'node_modules/a/node_modules/b': { dependencies: { '@s/c': '1' } },
    'node_modules/b': {},
    'node_modules/@s/c': { dependencies: { d: '1' } },
    'node_modules/@s/c/node_modules/d': {},
    'node_modules/d': {},
    'node_modules/native': { dependencies: { 'prebuild-install': '1' } },
    'node_modules/prebuild-install': {},
    'node_modules/@types/node': {},
    'node_modules/vitest': { dependencies: { vite: '1' } },
    'node_modules/vite': {},
  });
  expect(places()).toEqual([
    'node_modules/@s/c',
    'node_modules/@s/c/node_modules/d',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/native',
  ]);
});

it('takes workspaces from their folder, peers that must be there, and optional ones of this platform', () => {
  install({
    '': { dependencies: { ours: '1' }, optionalDependencies: { 'canvas-linux': '1', 'canvas-win32': '1' } },
    'node_modules/ours': { link: true, resolved: 'packages/ours' },
    'packages/ours': {
      peerDependencies: { must: '1', may: '1' },
      peerDependenciesMeta: { may: { optional: true } },
    },
    'node_modules/must': {},
    'node_modules/may': {},
    'node_modules/canvas-linux': {},
    'node_modules/canvas-win32': {},
  });
  expect(productionPackages(root)).toContainEqual({ place: 'node_modules/ours', folder: 'packages/ours' });
  expect(places()).toEqual(['node_modules/canvas-linux', 'node_modules/must', 'node_modules/ours']);
  expect(places('canvas-linux')).not.toContain('node_modules/canvas-linux');
});

it('takes what this project needs itself, even where packages need it only to be installed', () => {
  install({
    '': { dependencies: { tar: '1', typescript: '1' } },
    'node_modules/tar': {},
    'node_modules/typescript': {},
  });
  expect(places()).toEqual(['node_modules/tar']);
});

it('finds what this project runs on, and not what it is built and tested with', () => {
  const found = productionPackages(fileURLToPath(new URL('../..', import.meta.url))).map(
    ({ place }) => place,
  );
  expect(found).toEqual(
    expect.arrayContaining(
      ['fastify', 'sqlite3', 'local-discord', 'lit'].map((name) => `node_modules/${name}`),
    ),
  );
  for (const name of ['typescript', 'vitest', 'node-gyp', 'prebuild-install']) {
    expect(found).not.toContain(`node_modules/${name}`);
  }
});
