import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-discord',
    isolate: false,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 50 } },
  },
});
