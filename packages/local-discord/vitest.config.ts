import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-discord',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
