import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openReader } from '../../../../../src/server/store/engine/database.ts';
import { LeaseLost } from '../../../../../src/server/store/engine/error.ts';
import { openSmallValues, type SmallValues } from '../../../../../src/server/store/engine/small-values.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';
import { onServer } from '../../../../harness/postgres-databases.ts';

const options = { busyTimeoutMs: 10_000 };
const log = pino({ level: 'silent' });

async function openValues(): Promise<{ url: string; ours: SmallValues }> {
  const store = await openNewDatabase(options);
  const reader = openReader(store.location);
  onTestFinished(async () => {
    await reader.close();
    await store.close();
  });
  await onServer(
    store.location,
    "INSERT INTO lease VALUES ('follow:0', 'us', 3, now()), ('follow:1', 'us', 7, now())",
  );
  return { url: store.location, ours: openSmallValues(store, reader.db, log) };
}

const [zero, one] = [
  { name: 'follow:0', epoch: 3 },
  { name: 'follow:1', epoch: 7 },
];

it('writes under leases only until another process has taken one of them', async () => {
  const { url, ours } = await openValues();
  const under = (...fences: Parameters<SmallValues['of']>[1] & object) => {
    const keyv = ours.of<string>('bot', fences);
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

  await onServer(url, `UPDATE lease SET epoch = 8 WHERE name = 'follow:1'`);
  await ours.of('bot').set('post', 'next');
  await expect(both.set('post', 'late')).rejects.toThrow(LeaseLost);
  await expect(both.delete('post')).rejects.toThrow(LeaseLost);
  await expect(both.deleteMany(['post'])).rejects.toThrow(LeaseLost);
  expect(await both.get('post')).toBe('next');
  expect(await under(zero).set('other', 'ours')).toBe(true);
  expect(await under().set('other', 'ours')).toBe(true);
});
