import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import {
  createApplication,
  findApplication,
} from '../../src/server/store/repositories/applications/applications.ts';
import { createStore, outpost } from '../harness/command-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-app-'));
  const config = join(folder, 'outpost.yaml');
  writeFileSync(config, `projects: [{ slug: p, name: P }]`);
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const json = async (...args: string[]) => JSON.parse((await outpost(...args, '--json')).out);

test('refuses a scope that there is not, and an application that there is not any more', async () => {
  const created = ['app', 'create', '--project', 'p', '--name', 'Site', '--scopes'];
  expect((await outpost(...created, 'root')).code).toBe(2);
  const { id } = await json(...created, 'all');
  expect((await outpost('app', 'revoke', id)).code).toBe(0);
  for (const unknown of [id, 'app_unknown'])
    expect(await outpost('app', 'rotate', unknown)).toMatchObject({
      code: 1,
      err: expect.stringContaining(unknown),
    });
});

test('a running bot keeps its application: it knows no other secret', async () => {
  await createStore();
  const store = await openWriter(storeFile(join(folder, 'data')));
  const bot = { id: 'app_bot', projectSlug: 'p', name: 'Discord bot', secretHash: 'x', scopes: [] };
  await createApplication(store.db, { ...bot, embedded: true }, 0);
  for (const command of ['rotate', 'revoke']) {
    expect(await outpost('app', command, bot.id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no application app_bot'),
    });
  }
  expect(await findApplication(store.db, bot.id)).toMatchObject({ generation: 1, secretHash: 'x' });
  await store.close();
});

test('a process that would be nothing but a bot does not start without a token', async () => {
  vi.stubEnv('DISCORD_TOKEN', '');
  const { code, err } = await outpost('start', '--roles', 'bot');
  expect(code).toBe(1);
  expect(err).toContain('DISCORD_TOKEN is not set, and this process would be nothing but the bot');
});
