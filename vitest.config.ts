import { defineConfig } from 'vitest/config';

// Generous: a busy machine is no failure. No test asserts how long something takes.
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**'], ...limits } },
      // These start the real process, which is built first.
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/harness/build.ts'],
          fileParallelism: false,
          ...limits,
        },
      },
    ],
  },
});
