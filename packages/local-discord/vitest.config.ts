import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-discord',
    isolate: false,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
});
