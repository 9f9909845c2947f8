import { defineConfig } from 'vitest/config';

// Generous: a busy machine is no failure. No test asserts how long something takes.
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };
const setupFiles = ['test/harness/valid-bodies.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          setupFiles,
          ...limits,
        },
      },
      // These start the real process, which is built first.
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/harness/build.ts'],
          fileParallelism: false,
          ...limits,
        },
      },
    ],
  },
});
