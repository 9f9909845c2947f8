import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    name: 'game-files',
    isolate: false,
    include: ['test/**/*.test.ts'],
    // These take long, and need servers that are installed: npm run test:slow at the root.
    exclude: ['test/**/*.slow.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 50 } },
  },
});
