import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { activeSources } from '../../src/server/ingest/follower/sources.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { createStore, outpost } from '../harness/command-line.ts';
import { createSourceWatch } from '../harness/logs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-json-'));
  const config = join(folder, 'outpost.yaml');
  writeFileSync(
    config,
    `projects: [{ slug: p, name: P, servers: [{ id: s, name: S, host: 127.0.0.1, port: 1, logs: gone }] }]`,
  );
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const log = `${'*'.repeat(78)}\nAdminLog started on 2024-05-01 at 12:00:00\n`;

test('an import that takes only some of its files prints its report and the failure as one document', async () => {
  const good = join(folder, 'good.ADM');
  writeFileSync(good, log);
  const paths = [good, join(folder, 'missing.ADM')];
  const { code, out, err } = await outpost('import', 'adm', '--server', 's', ...paths, '--json');
  expect(JSON.parse(out)).toMatchObject({
    files: [{ file: good }],
    runs: { new: 1 },
    error: expect.stringMatching(/^Could not read 1 of 2 files:\n.*missing\.ADM: no such file/),
  });
  expect([code, err]).toEqual([1, '']);
  const text = await outpost('import', 'adm', '--server', 's', ...paths);
  expect(text.out).toContain('1 known');
  expect(text.err).toContain('missing.ADM: no such file');
});

test.each([
  [['app', 'create', '--json'], 2, "required option '--project <slug>' not specified"],
  [['import', 'adm', '--server', 's', '--json'], 2, "missing required argument 'file'"],
  [['app', 'lst', '--json'], 2, "unknown command 'lst'"],
  [['app', '--json'], 2, 'unknown option'],
  [['ban', 'add', '--category', 'x', '--json'], 2, 'Allowed choices are CHEATING'],
  [['import', 'adm', '--server', 'other', '--json', 'x.ADM'], 1, 'there is no server "other"'],
])('%j fails with one JSON document', async (args, expected, message) => {
  const { code, out, err } = await outpost(...args);
  expect(JSON.parse(out)).toEqual({ error: expect.stringContaining(message) });
  expect([code, err]).toEqual([expected, '']);
});

test('a config without servers says how to add the first', async () => {
  writeFileSync(join(folder, 'outpost.yaml'), 'projects: [{ slug: p, name: P, servers: [] }]');
  const { code, err } = await outpost('source', 'trust', 's');
  expect(err).toBe(
    'there is no server "s" in the config: it has none yet (docs/configuration.md says how to add one)',
  );
  expect(code).toBe(1);
});

test('a mistake in the command line is plain text without --json, and never "error: error:"', async () => {
  const { code, out, err } = await outpost('app', 'create');
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain("required option '--project <slug>' not specified");
});

test('sources ends with 1 where one could not be read, and lists all the same', async () => {
  await createStore();
  const writer = await openWriter(storeFile(join(folder, 'data')));
  await createSourceWatch(writer.db).importChanged(activeSources(readConfig(join(folder, 'outpost.yaml'))));
  await writer.close();
  const { code, out } = await outpost('sources', '--json');
  expect(JSON.parse(out)).toMatchObject({
    sources: [{ kind: 'logs', id: 's', error: 'no such file' }],
    error: expect.stringContaining('1 of 1 sources'),
  });
  expect(code).toBe(1);
  const text = await outpost('sources');
  expect(text.out).toContain('! no such file');
  expect(text.code).toBe(1);
});
