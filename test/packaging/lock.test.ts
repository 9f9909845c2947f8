import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, unknown> };

it('compiles the database driver only for a Node.js that needs the older one', () => {
  expect(packages, 'run "npm install": package-lock.json is incomplete').toMatchObject({
    'node_modules/better-sqlite3': { engines: { node: '<22.14.0 || >=23.0.0 <23.6.0' } },
    'node_modules/better-sqlite3-13': { gypfile: false },
  });
});
