import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTokenKey } from '../../../../src/server/http/access/tokens.ts';
import { openReader, openWriter } from '../../../../src/server/store/engine/database.ts';
import {
  openSmallValues,
  type SmallValues,
  sweepSmallValues,
} from '../../../../src/server/store/engine/small-values.ts';
import { type NewStore, openNewStore } from '../../../harness/new-store.ts';
import { temporaryFolder } from '../../ingest/fixture.ts';

const options = { busyTimeoutMs: 10_000 };

/** A store, and the small values in it as two processes open them. */
async function twoProcesses(): Promise<{ store: NewStore; ours: SmallValues; theirs: SmallValues }> {
  const store = await openNewStore(join(temporaryFolder(), 'outpost.sqlite'), options);
  onTestFinished(store.close);
  const [ours, theirs] = [await open(store.location), await open(store.location)];
  return { store, ours, theirs };
}

async function open(location: string): Promise<SmallValues> {
  const writer = await openWriter(location, options);
  onTestFinished(writer.close);
  const reader = openReader(location);
  onTestFinished(reader.close);
  return openSmallValues(writer, reader.db, pino({ level: 'silent' }));
}

async function keysIn({ db }: NewStore): Promise<string[]> {
  const rows = await db.selectFrom('keyv').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

it('shows values of one process to another, and keeps namespaces apart', async () => {
  const { ours, theirs } = await twoProcesses();
  await ours.of('tokens').set('a', { grant: 'ü\u0000🎮' });
  expect(await theirs.of('tokens').get('a')).toEqual({ grant: 'ü\u0000🎮' });
  expect(await theirs.of('bot').get('a')).toBeUndefined();
  await theirs.of('tokens').delete('a');
  expect(await ours.of('tokens').get('a')).toBeUndefined();
});

it('does what Keyv is asked for', async () => {
  const { ours, store } = await twoProcesses();
  const keyv = ours.of<unknown>('bot');
  for (const value of [0, false, '', ':odd', [1], { deep: { er: null } }]) {
    expect(await keyv.set('key', value)).toBe(true);
    expect(await keyv.get('key')).toEqual(value);
  }
  await keyv.set('other', 1);
  expect(await keyv.get(['key', 'none', 'other'])).toEqual([{ deep: { er: null } }, undefined, 1]);
  expect([await keyv.has('key'), await keyv.has('none')]).toEqual([true, false]);
  expect([await keyv.delete('none'), await keyv.delete('key')]).toEqual([false, true]);
  expect([await keyv.deleteMany(['none']), await keyv.deleteMany(['other', 'none'])]).toEqual([false, true]);
  await keyv.set('short', 1, 1);
  await expect.poll(async () => await keyv.get('short')).toBeUndefined();
  expect(await keysIn(store)).toEqual([]);
});

it('has one key for tokens, whichever of the processes that start at once makes it', async () => {
  const { store } = await twoProcesses();
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(store.location)));
  const keys = await Promise.all(stores.map((one) => openTokenKey(one)));
  for (const { newToken } of keys) {
    const token = newToken();
    expect(keys.map(({ mayBeIssued }) => mayBeIssued(token))).toEqual(keys.map(() => true));
  }
  expect(await keysIn(store)).toEqual(['token-key:key']);
});

it('sweeps what has expired, and nothing else', async () => {
  const { store, ours } = await twoProcesses();
  const keyv = ours.of('tokens');
  await keyv.set('old', 1, 1_000);
  await keyv.set('young', 1, 3_600_000);
  await keyv.set('eternal', 1);
  await sweepSmallValues(store.db, Date.now() + 60_000);
  expect(await keysIn(store)).toEqual(['tokens:eternal', 'tokens:young']);
});

it('keeps what several processes change of one value at once', async () => {
  const { ours, theirs } = await twoProcesses();
  const add = async (values: SmallValues, word: string): Promise<unknown> =>
    await values.change<string[]>('bot', 'words', (before = []) => [...before, word]);
  const words = Array.from({ length: 20 }, (_, i) => `:${i}`);
  await Promise.all(words.map((word, i) => add(i % 2 === 0 ? ours : theirs, word)));
  expect((await ours.of<string[]>('bot').get('words'))?.toSorted()).toEqual(words.toSorted());
});

it('writes nothing into a transaction of others, and reads while one is under way', async () => {
  const { store } = await twoProcesses();
  const writer = await openWriter(store.location, options);
  onTestFinished(writer.close);
  const reader = openReader(store.location);
  onTestFinished(reader.close);
  const keyv = openSmallValues(writer, reader.db, pino({ level: 'silent' })).of<number>('bot');
  await keyv.set('before', 1);
  let writing: Promise<boolean> = Promise.resolve(false);
  const undone = writer.db.transaction().execute(async (tx) => {
    await tx.updateTable('rights').set({ revision: 5 }).execute();
    writing = keyv.set('kept', 2);
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    expect(await keyv.get('before')).toBe(1);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await writing).toBe(true);
  expect(await keyv.get('kept')).toBe(2);
});
