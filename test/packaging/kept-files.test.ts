import { expect, it } from 'vitest';
import { isKept } from '../../scripts/package/kept-files.ts';

it.each([
  ['pino', 'lib/levels.js'],
  ['pino', 'LICENSE'],
  ['node-cron', 'LICENSE.md'],
  ['yaml', 'dist/doc/Document.js'],
  ['sqlite3', 'index.js'],
  ['better-sqlite3-13', 'prebuilds/linux-x64.node'],
  ['better-sqlite3-13', 'lib/binding.js'],
  ['swagger-ui-dist', 'swagger-ui.css'],
  ['@fontsource/inter', 'files/inter-cyrillic-600-normal.woff2'],
  ['local-discord', 'dist/page/index.html'],
])('keeps of %s the file %s', (name, path) => {
  expect(isKept(name, path, 'linux-x64')).toBe(true);
});

it.each([
  ['pino', 'docs/api.md'],
  ['pino', 'test/basic.test.js'],
  ['zod', 'src/v4/core/core.ts'],
  ['zod', 'v4/core/core.d.cts'],
  ['discord.js', 'src/index.js.map'],
  ['better-sqlite3-13', 'prebuilds/linuxmusl-x64.node'],
  ['better-sqlite3', 'build/Release/obj.target/sqlite3.a'],
  ['swagger-ui-dist', 'swagger-ui-es-bundle.js'],
  ['@fontsource/inter', 'files/inter-vietnamese-400-normal.woff2'],
  ['local-discord', 'example/bot.ts'],
])('leaves out of %s the file %s', (name, path) => {
  expect(isKept(name, path, 'linux-x64')).toBe(false);
});
