import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore, outpost } from '../harness/command-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-server-'));
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const configure = (id: string, more = ''): void =>
  writeFileSync(
    join(folder, 'outpost.yaml'),
    `projects: [{ slug: p, name: P, servers: [{ id: ${id}, name: S, host: h, port: 2302 }] }]\n${more}`,
  );

test('a server is renamed to an id that the config can have, and not where the config has a mistake', async () => {
  configure('old');
  await createStore();
  expect(await outpost('server', 'rename', 'old', 'New One')).toMatchObject({
    code: 1,
    err: expect.stringContaining('New One cannot be the id of a server: expected 1 to 63 of a-z'),
  });
  configure('new', 'nonsense: 1\n');
  expect(await outpost('server', 'rename', 'old', 'new')).toMatchObject({
    code: 1,
    err: expect.stringContaining('nonsense'),
  });
  configure('new');
  expect(await outpost('server', 'rename', 'old', 'new')).toMatchObject({ code: 0 });
});
