import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: { name: 'dayz-files', isolate: false, include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});
