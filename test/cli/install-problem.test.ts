import { expect, it } from 'vitest';
import { nativeModuleProblem, nodeProblem } from '../../src/cli/install-problem.ts';

it.each([
  ['18.20.4', 'Outpost needs Node.js 20.19.0 or newer; this is 18.20.4.'],
  ['20.18.9', 'this is 20.18.9'],
])('says on Node.js %s which one is needed', (version, message) => {
  expect(nodeProblem(version)).toContain(message);
});

it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '27.0.0-nightly'])('runs on Node.js %s', (version) => {
  expect(nodeProblem(version)).toBeNull();
});

const dlopen = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });

it.each([
  [
    "another Node.js's modules",
    dlopen(
      "The module 'better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.",
    ),
    /does not load .* with Node\.js 24\.1\.0.*npm ci/,
  ],
  [
    'a C library that is too old',
    dlopen("/lib/libc.so.6: version `GLIBC_2.34' not found\nmore"),
    /GLIBC_2\.34' not found Run/,
  ],
  [
    'a database driver that could not be installed',
    Object.assign(new Error("Cannot find module 'better-sqlite3'\nRequire stack:\n- x"), {
      code: 'MODULE_NOT_FOUND',
    }),
    /24\.1\.0.*own "outpost".*github\.com.*compiler.*nodejs\.org/,
  ],
  [
    'modules that were never built',
    new Error('Could not locate the bindings file. Tried:\n → a\n → b'),
    /"npm ci"/,
  ],
])('reports %s in one line, with what to do', (_name, error, message) => {
  const problem = nativeModuleProblem(error, '24.1.0');
  expect(problem).toMatch(message);
  expect(problem).not.toContain('\n');
});

it('leaves other errors alone', () => {
  expect(nativeModuleProblem(new Error('Could not connect'))).toBeNull();
});
