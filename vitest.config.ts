import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { laterFlags } from './src/process/v8-flags.ts';

/**
 * What holds for every test. The limits are four times what the longest take on a busy machine with two cores, which is no
 * failure; a hang is one, and ends here.
 */
const common = {
  // Threads and processes that a test starts run what is built.
  globalSetup: ['test/harness/build.ts'],
  // Files share a process, in which each module is loaded once. So a test leaves nothing behind: no timer, no variable of
  // the environment, no setting of V8.
  isolate: false,
  // Most code runs too few times in a test for V8's optimizing compiler to pay: it took a sixth of the CPU time. Functions
  // are optimized after eight times as much work.
  execArgv: [...laterFlags],
  setupFiles: ['test/harness/valid-bodies.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 45_000, interval: 50 } },
};
/** These start processes or wait for a PostgreSQL. */
const patient = {
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 50 } },
};
const slow = ['test/**/*.slow.test.ts', 'packages/*/test/**/*.slow.test.ts'];
/** What is about PostgreSQL itself. */
const postgres = ['test/server/store/engine/postgres/**/*.test.ts', 'test/**/*.postgres.test.ts'];
/** What opens its store by these runs on either engine. HTTP and the page do not: they reach it through `store/` alone. */
const storeOfHarness = /^import [^;]*\/(?:new-store|service|fixture|page-world)\.ts';$/m;
const onEitherEngine = globSync(
  [
    'test/{server/{store,ingest},compose}/**/*.test.ts',
    'test/community/{message-ledger,recaps,role-members,watch-list}.test.ts',
  ],
  { ignore: [...slow, ...postgres, 'test/compose/public-*.test.ts'] },
).filter((file) => storeOfHarness.test(readFileSync(file, 'utf8')));
const withPostgres = {
  ...common,
  ...patient,
  globalSetup: [...common.globalSetup, 'test/harness/postgres-setup.ts'],
};

/** Packages are found by the paths of tsconfig.json: tests run their sources, not their dist/. */
const resolve = { tsconfigPaths: true };

/** Starts the end-to-end tests first: they take longest, so that none of them is left when everything else is done. */
class EndToEndFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const later = ({ project }: TestSpecification): number => Number(project.name !== 'e2e');
    // Vitest's own order, not that of an array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => later(one) - later(other));
  }
}

export default defineConfig({
  test: {
    // Compiled modules are kept below node_modules/, for the next run.
    experimental: { fsModuleCache: true },
    // Tests wait for processes and timers most of their time, so five files more keep every core busy.
    maxWorkers: availableParallelism() + 5,
    sequence: { sequencer: EndToEndFirst },
    reporters: ['default', ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : [])],
    // With `--coverage`: what the tests run in their own processes. Those that they start are not seen.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      'packages/*',
      {
        resolve,
        test: {
          ...common,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', ...slow, ...postgres],
        },
      },
      { resolve, test: { ...withPostgres, name: 'postgres', include: postgres, exclude: slow } },
      {
        resolve,
        test: {
          ...withPostgres,
          name: 'on-postgres',
          env: { OUTPOST_TEST_STORE: 'postgres' },
          include: onEitherEngine,
        },
      },
      {
        resolve,
        test: {
          ...common,
          ...patient,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [...slow, ...postgres],
        },
      },
      // Three files at a time, which wait for clocks and outages most of theirs: npm run test:slow.
      {
        resolve,
        test: {
          ...common,
          ...patient,
          name: 'slow',
          include: slow,
          testTimeout: 1_200_000,
        },
      },
    ],
  },
});
