import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { LeaseLost } from '../../../../../src/server/store/engine/error.ts';
import { openSmallStore, type SmallStore } from '../../../../../src/server/store/engine/small-store.ts';
import { openTokenKey } from '../../../../../src/server/http/token-key.ts';
import { newDatabase } from '../../../../harness/new-store.ts';
import { onServer } from '../../../../harness/postgres-databases.ts';

async function twoProcesses(): Promise<{ url: string; ours: SmallStore; theirs: SmallStore }> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  // Both create the table at once.
  const [ours, theirs] = await Promise.all([open(url), open(url)]);
  return { url, ours, theirs };
}

async function open(url: string): Promise<SmallStore> {
  const store = await openSmallStore(url, pino({ level: 'silent' }));
  onTestFinished(store.close);
  return store;
}

const keysIn = async (url: string): Promise<string[]> =>
  (await onServer<{ key: string }>(url, 'SELECT key FROM keyv ORDER BY key')).map(({ key }) => key);

it('shows values of one process to another, and keeps namespaces apart', async () => {
  const { ours, theirs } = await twoProcesses();
  await ours.of('tokens').set('a', { grant: 'ü\u0000🎮' });
  expect(await theirs.of('tokens').get('a')).toEqual({ grant: 'ü\u0000🎮' });
  expect(await theirs.of('bot').get('a')).toBeUndefined();
  await theirs.of('tokens').delete('a');
  expect(await ours.of('tokens').get('a')).toBeUndefined();
});

it('has one key for tokens, whichever of the processes that start at once makes it', async () => {
  const { url } = await twoProcesses();
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(url)));
  let now = Date.now();
  const keys = await Promise.all(stores.map((store) => openTokenKey(store, () => now)));
  // Until then every token may have been issued by an earlier version.
  now += 86_400_000;
  for (const { newToken } of keys) {
    const token = newToken();
    expect(keys.map(({ mayBeIssued }) => mayBeIssued(token))).toEqual(keys.map(() => true));
  }
  expect(await keysIn(url)).toEqual(['token-key:key']);
});

it('goes on when another store of the process is closed', async () => {
  const [one, two] = [await twoProcesses(), await twoProcesses()];
  await one.ours.of('bot').set('key', 1);
  await two.ours.of('bot').set('key', 2);
  await (await openSmallStore(two.url, pino({ level: 'silent' }))).close();
  expect(await one.ours.of('bot').get('key')).toBe(1);
  expect(await two.ours.of('bot').get('key')).toBe(2);
});

it('deletes values by their prefix and content', async () => {
  const { url, ours } = await twoProcesses();
  const keyv = ours.of('bot');
  for (const key of ['post:1', 'post:2', 'post_3', 'feed:1']) await keyv.set(key, { of: key.slice(-1) });
  const gone = await ours.deleteWhere('bot', 'post:', ({ value }) => (value as { of: string }).of === '1');
  expect(gone).toBe(1);
  expect(await keysIn(url)).toEqual(['bot:feed:1', 'bot:post:2', 'bot:post_3']);
});

it('sweeps what has expired, and nothing else', async () => {
  const { url, ours } = await twoProcesses();
  const keyv = ours.of('tokens');
  await keyv.set('old', 1, 1_000);
  await keyv.set('young', 1, 3_600_000);
  await keyv.set('eternal', 1);
  await ours.sweep(Date.now() + 60_000);
  expect(await keysIn(url)).toEqual(['tokens:eternal', 'tokens:young']);
});

it('replaces everything at once', async () => {
  const { url, ours } = await twoProcesses();
  await ours.of('bot').set('gone', 1);
  await ours.of('bot').set('kept', 1);
  await ours.replaceAll([
    { key: 'bot:kept', value: '{"value":2}' },
    { key: 'bot:new', value: '{"value":3}' },
  ]);
  expect(await keysIn(url)).toEqual(['bot:kept', 'bot:new']);
  expect(await ours.of('bot').get('kept')).toBe(2);
  await ours.replaceAll([]);
  expect(await keysIn(url)).toEqual([]);
});

it('writes under leases only until another process has taken one of them', async () => {
  const { url, ours, theirs } = await twoProcesses();
  await onServer(url, `CREATE TABLE lease (name text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL)`);
  await onServer(url, `INSERT INTO lease VALUES ('shard:0', 3), ('shard:1', 7)`);
  const [zero, one] = [
    { name: 'shard:0', epoch: 3 },
    { name: 'shard:1', epoch: 7 },
  ];
  const under = (...fences: Parameters<SmallStore['of']>[1] & object) => {
    const keyv = theirs.of<string>('bot', fences);
    keyv.throwOnErrors = true;
    return keyv;
  };
  const both = under(zero, one);
  expect(await both.set('post', 'ours')).toBe(true);
  expect(await both.get('post')).toBe('ours');
  expect(await ours.of('bot').get('post')).toBe('ours');
  expect(await both.delete('none')).toBe(false);
  expect(await both.deleteMany(['post'])).toBe(true);
  expect(await ours.of('bot').get('post')).toBeUndefined();

  await onServer(url, `UPDATE lease SET epoch = 8 WHERE name = 'shard:1'`);
  await ours.of('bot').set('post', 'next');
  await expect(both.set('post', 'late')).rejects.toThrow(LeaseLost);
  await expect(both.delete('post')).rejects.toThrow(LeaseLost);
  await expect(both.deleteMany(['post'])).rejects.toThrow(LeaseLost);
  expect(await both.get('post')).toBe('next');
  expect(await under(zero).set('other', 'ours')).toBe(true);
  expect(await under().set('other', 'ours')).toBe(true);
});

it('keeps what several processes change of one value at once, and nothing of one that has lost its lease', async () => {
  const { url, ours, theirs } = await twoProcesses();
  await onServer(url, `CREATE TABLE lease (name text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL)`);
  const add = async (store: SmallStore, word: string): Promise<void> =>
    await store.change<string[]>('bot', 'words', (before = []) => [...before, word]);
  const words = Array.from({ length: 20 }, (_, i) => `:${i}`);
  await Promise.all(words.map((word, i) => add(i % 2 === 0 ? ours : theirs, word)));
  expect((await ours.of<string[]>('bot').get('words'))?.toSorted()).toEqual(words.toSorted());

  await onServer(url, `INSERT INTO lease VALUES ('shard:0', 3)`);
  await ours.change('bot', 'words', () => ['held'], [{ name: 'shard:0', epoch: 3 }]);
  await expect(ours.change('bot', 'words', () => ['late'], [{ name: 'shard:0', epoch: 2 }])).rejects.toThrow(
    LeaseLost,
  );
  expect(await ours.of('bot').get('words')).toEqual(['held']);
});
