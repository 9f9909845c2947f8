import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { withoutDiscord } from '../harness/environment.ts';

test('a key of earlier versions is accepted, and one line says that it can be deleted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-former-'));
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const text =
    'store: { listenUrl: { env: NOWHERE } }\nhttp: { port: 0 }\nprojects: [{ slug: a, name: A }]\n';
  const config = parseConfig(text, 'outpost.yaml');
  const outpost = await compose({ config, environment: withoutDiscord(folder), log });
  await outpost.close();
  rmSync(folder, { recursive: true });
  expect(lines).toEqual(['store.listenUrl in the config has no effect any more: delete it']);
});
