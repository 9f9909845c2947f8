import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { storeFile } from '../../../../src/server/store/engine/database.ts';
import { SQLite } from '../../../../src/server/store/engine/driver.ts';
import { migrations } from '../../../../src/server/store/engine/migrations/index.ts';
import { makeEarlierStores } from '../../../harness/earlier-stores.ts';
import { openValuesOf } from '../../../harness/small-values.ts';
import { restore, temporaryFolder, valueOfBot } from '../operations/backup/backup-world.ts';

const before = Object.keys(migrations).findLast((name) => name < '0029');
let earlierStore: Buffer;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-earlier-'));
  const stores = await makeEarlierStores(join(folder, 'store.sqlite'));
  rmSync(folder, { recursive: true });
  earlierStore = stores.find(({ name }) => name === before)?.bytes ?? Buffer.alloc(0);
});

const day = 86_400_000;
const values: Record<string, { value: unknown; expires?: number | null }> = {
  'tokens:secret-young-token': { value: { applicationId: 'app_x' }, expires: Date.now() + day },
  'tokens:secret-old-token': { value: { applicationId: 'app_x' }, expires: Date.now() - 1 },
  'token-key:key': { value: { key: 'secret-key', createdAt: 1 }, expires: null },
  'bot:status:1:0': { value: { messageId: '1573971174436634624' }, expires: null },
  'bot:placements': { value: [{ id: 'a' }] },
  'bot:player:1': { value: '76561198000000009' },
  'discord-sessions:session:0': { value: {} },
};

/** A data folder as an earlier version left it: the store, and Keyv's own file as @keyv/sqlite made it. */
function earlierFolder(): { folder: string; keyv: string } {
  const folder = temporaryFolder();
  writeFileSync(storeFile(folder), earlierStore);
  const store = new SQLite(storeFile(folder));
  store.exec('DELETE FROM restored_value; DELETE FROM forgotten; UPDATE rights SET key_check = NULL');
  store.close();
  const keyv = join(folder, 'keyv.sqlite');
  const sqlite = new SQLite(keyv);
  sqlite.exec('CREATE TABLE keyv(key VARCHAR(255) PRIMARY KEY, value TEXT )');
  const insert = sqlite.prepare('INSERT INTO keyv VALUES (?, ?)');
  for (const [key, value] of Object.entries(values)) insert.run(key, JSON.stringify(value));
  sqlite.close();
  return { folder, keyv };
}

async function openOnce(folder: string): Promise<void> {
  await (await openValuesOf(folder)).close();
}

function keysIn(folder: string): unknown {
  const sqlite = new SQLite(storeFile(folder), { readonly: true });
  try {
    return sqlite.prepare('SELECT key FROM keyv ORDER BY key').pluck().all();
  } finally {
    sqlite.close();
  }
}

const taken = [
  'bot:placements',
  'bot:player:1',
  'bot:status:1:0',
  'token-key:key',
  'tokens:secret-young-token',
];

test('the store takes over tokens and what the bot keeps, and their file goes', async () => {
  const { folder, keyv } = earlierFolder();
  const small = await openValuesOf(folder);
  expect(await small.of('tokens').get('secret-young-token')).toEqual({ applicationId: 'app_x' });
  expect(await small.of('bot').get('placements')).toEqual([{ id: 'a' }]);
  await small.close();
  expect(keysIn(folder)).toEqual(taken);
  expect(existsSync(keyv)).toBe(false);
});

test('a start that was killed before it removed the file takes nothing over again', async () => {
  const { folder, keyv } = earlierFolder();
  const file = readFileSync(keyv);
  const small = await openValuesOf(folder);
  await small.of('bot').delete('player:1');
  await small.close();
  writeFileSync(keyv, file);
  await openOnce(folder);
  expect(keysIn(folder)).toEqual(taken.filter((key) => key !== 'bot:player:1'));
  expect(existsSync(keyv)).toBe(false);
});

test('what a killed restore of an earlier version left counts instead of the file', async () => {
  const { folder } = earlierFolder();
  const sqlite = new SQLite(storeFile(folder));
  sqlite.prepare('INSERT INTO restored_value VALUES (?, ?)').run('bot:restored', '{"value":1}');
  sqlite.close();
  await openOnce(folder);
  expect(keysIn(folder)).toEqual(['bot:restored']);
});

test('a file that cannot be read stops the update, says what to do, and loses nothing', async () => {
  const { folder, keyv } = earlierFolder();
  const good = readFileSync(keyv);
  const bad = Buffer.alloc(8_192, 'nonsense');
  writeFileSync(keyv, bad);
  await expect(openOnce(folder)).rejects.toThrow(/keyv\.sqlite.*tokens.*move it away/s);
  expect(readFileSync(keyv)).toEqual(bad);
  writeFileSync(keyv, good);
  await openOnce(folder);
  expect(keysIn(folder)).toEqual(taken);
});

test('the backup before the update is one that the earlier version reads, and is restored with its values', async () => {
  const { folder } = earlierFolder();
  await openOnce(folder);
  const [name = ''] = readdirSync(join(folder, 'backups'));
  const archive = join(folder, 'backups', name);
  const content = gunzipSync(readFileSync(archive)).toString('latin1');
  expect(content).toContain('bot.json');
  expect(content).not.toContain('secret-');

  for (const target of [temporaryFolder(), earlierFolder().folder]) {
    await restore(archive, target);
    expect(await valueOfBot(target, 'status:1:0')).toEqual({ messageId: '1573971174436634624' });
    expect(await valueOfBot(target, 'player:1')).toBe('76561198000000009');
    expect(existsSync(join(target, 'keyv.sqlite'))).toBe(false);
    expect(JSON.stringify(keysIn(target))).not.toContain('token');
  }
});
