import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { storeFileTask } from '../../../../src/compose/upkeep.ts';
import { configSchema } from '../../../../src/config/schema.ts';
import { openReader, openWriter, type WriteDatabase } from '../../../../src/server/store/engine/database.ts';
import { StoreHealth } from '../../../../src/server/store/engine/store-health.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import { northwood } from '../../../harness/northwood.ts';

let folder: string;
let file: string;
let ours: WriteDatabase;
let theirs: WriteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-database-'));
  file = join(folder, 'outpost.sqlite');
  theirs = await openWriter(file, { busyTimeoutMs: 5_000 });
  await reconcile(theirs.db, configSchema.parse(northwood()));
  ours = await openWriter(file, { busyTimeoutMs: 60_000 });
});
afterEach(async () => {
  await Promise.all([ours.close(), theirs.close()]);
  await rm(folder, { recursive: true, force: true });
});

const nameServers = (name: string, { db } = ours) => db.updateTable('server').set({ name }).execute();

it('waits for another writer’s transaction without blocking other work of the thread', async () => {
  const order: string[] = [];
  const long = theirs.db.transaction().execute(async (tx) => {
    await tx.updateTable('server').set({ name: 'theirs' }).execute();
    const single = nameServers('ours').then(() => order.push('ours written'));
    const together = ours.db.transaction().execute(async (own) => {
      await own.updateTable('project').set({ name: 'ours' }).execute();
      order.push('our transaction');
    });
    await delay(50);
    order.push('their commit');
    return [single, together];
  });
  await Promise.all(await long);
  expect(order).toEqual(['their commit', 'ours written', 'our transaction']);
  const names = await theirs.db.selectFrom('server').select('name').distinct().execute();
  expect(names).toEqual([{ name: 'ours' }]);
});

it('gives up in time, writes nothing, and can be used again', async () => {
  const hasty = await openWriter(file, { busyTimeoutMs: 1 });
  onTestFinished(hasty.close);
  await theirs.db.transaction().execute(async (tx) => {
    await tx.updateTable('server').set({ name: 'theirs' }).execute();
    await expect(nameServers('ours', hasty)).rejects.toThrow('database is locked');
    await expect(hasty.db.transaction().execute(async () => undefined)).rejects.toThrow('database is locked');
  });
  await nameServers('at last', hasty);
  expect(await theirs.db.selectFrom('server').select('name').distinct().execute()).toEqual([
    { name: 'at last' },
  ]);
});

it('notices that its file was moved, deleted or replaced, and not that it was written anew', async () => {
  const reader = openReader(file);
  onTestFinished(async () => await reader.close());
  const states: string[] = [];
  const health = new StoreHealth((state) => void states.push(state));
  const { run } = storeFileTask(reader, health);
  const isReplaced = async (): Promise<boolean> => {
    await run();
    return health.isReplaced;
  };
  await ours.wipe();
  expect(await isReplaced()).toBe(false);
  await rename(file, `${file}.moved`);
  expect(await isReplaced()).toBe(true);
  await writeFile(file, '');
  expect([await isReplaced(), states]).toEqual([true, ['replaced']]);
  await rename(`${file}.moved`, file);
  expect([await isReplaced(), states]).toEqual([false, ['replaced']]);
});
