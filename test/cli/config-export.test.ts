import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { openWriter, storeFile, type Database } from '../../src/server/store/engine/database.ts';
import { ensureDataFolder } from '../../src/server/store/engine/data-folder.ts';
import {
  addServer,
  listAddedServers,
  removeAddedServer,
} from '../../src/server/store/repositories/projects/added-servers.ts';
import { addSamples, findLastAnswer } from '../../src/server/store/repositories/projects/history.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { outpost } from '../harness/command-line.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-export-'));
  file = join(folder, 'outpost.yaml');
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  writeConfig('[]');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function writeConfig(servers: string): void {
  writeFileSync(file, `projects:\n  - slug: northwood\n    name: N\n    servers: ${servers}\n`);
}

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  ensureDataFolder(join(folder, 'data'));
  const writer = await openWriter(storeFile(join(folder, 'data')), { busyTimeoutMs: 5_000 });
  try {
    return await work(writer.db);
  } finally {
    await writer.close();
  }
}

/** Names that YAML reads as something else, or that try to leave their line. */
const names = [
  'Añadido | Livonia',
  'null',
  '0x1f',
  'a: b # c',
  '- [x]: {y}',
  'it\'s "it"',
  '@everyone %',
  'yes',
];

test('prints nothing to move where nobody added a server', async () => {
  await withDatabase(async () => undefined);
  expect(await outpost('config', 'export')).toEqual({
    code: 0,
    out: '# Members have added no servers in Discord.',
    err: '',
  });
  expect(JSON.parse((await outpost('config', 'export', '--json')).out)).toEqual({ projects: [] });
});

test('moves added servers into the config without loss of their history', async () => {
  await withDatabase(async (db) => {
    await reconcile(db, readConfig(file));
    for (const [index, name] of [...names, 'Removed'].entries()) {
      const server = { name, game: 'dayz', host: 'play.example.org', port: index + 1 };
      const who = { guildId: '1', addedBy: '1100000000000000303' };
      const queryPort = index % 2 === 0 ? 20_000 + index : null;
      await addServer(db, 'northwood', { ...server, ...who, queryPort }, { most: 20, now: 0 });
    }
    const removed = (await listAddedServers(db)).find(({ name }) => name === 'Removed');
    await removeAddedServer(db, 'northwood', removed!.id, { by: '1', now: 1 });
    await addSamples(db, 'anadido-livonia', [{ sampledAt: 60_000, players: 3, maxPlayers: 60 }]);
  });
  const { code, out } = await outpost('config', 'export');
  expect(code).toBe(0);
  expect(out).toContain('added by member 1100000000000000303 on 1970-01-01');
  const before = await withDatabase(listAddedServers);

  // As an owner pastes it: two levels deeper.
  const pasted = out.split('\n').map((line) => `    ${line}`);
  writeFileSync(file, `projects:\n  - slug: northwood\n    name: N\n${pasted.join('\n')}\n`);
  const config = readConfig(file);
  expect(
    config.projects[0]?.servers.map(({ id, name, port, queryPort = null }) => [id, name, port, queryPort]),
  ).toEqual(before.map(({ id, name, port, queryPort }) => [id, name, port, queryPort]));
  expect(before.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  await withDatabase(async (db) => {
    expect(await reconcile(db, config)).toHaveLength(names.length);
    expect(await listAddedServers(db)).toEqual([]);
    expect(await findLastAnswer(db, 'anadido-livonia')).toBe(60_000);
  });
  expect((await outpost('config', 'export')).out).toContain('no servers');
});

test('does not forget an added server while it is shown', async () => {
  const forget = () => outpost('server', 'forget', 'n', '--yes');
  await withDatabase(async (db) => {
    await reconcile(db, readConfig(file));
    const server = { name: 'N', game: 'rust', host: '203.0.113.7', port: 28_015, queryPort: null };
    await addServer(db, 'northwood', { ...server, guildId: '1', addedBy: '2' }, { most: 1, now: 0 });
  });
  const { code, err } = await forget();
  expect([code, err]).toEqual([1, expect.stringContaining('remove it there with /outpost server remove')]);
  await withDatabase(async (db) => {
    await removeAddedServer(db, 'northwood', 'n', { by: '2', now: 1 });
  });
  expect((await forget()).code).toBe(0);
});

test('prints the same as JSON', async () => {
  await withDatabase(async (db) => {
    await reconcile(db, readConfig(file));
    const server = { name: 'N', game: 'rust', host: '203.0.113.7', port: 28_015, queryPort: null };
    await addServer(db, 'northwood', { ...server, guildId: '1', addedBy: '2' }, { most: 1, now: 0 });
  });
  expect(JSON.parse((await outpost('config', 'export', '--json')).out)).toEqual({
    projects: [
      {
        slug: 'northwood',
        servers: [{ id: 'n', name: 'N', game: 'rust', host: '203.0.113.7', port: 28_015 }],
      },
    ],
  });
});
