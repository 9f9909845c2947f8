import { statSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { configSchema } from '../../../../src/config/schema.ts';
import { inspectStore } from '../../../../src/server/store/engine/check-store.ts';
import {
  openReader,
  openWriter,
  type WriteDatabase,
  writeProbe,
} from '../../../../src/server/store/engine/database.ts';
import { StoreHealth, type StoreState } from '../../../../src/server/store/engine/store-health.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import { northwood } from '../../../harness/northwood.ts';

let folder: string;
let file: string;
let ours: WriteDatabase;
let theirs: WriteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-database-'));
  file = join(folder, 'outpost.sqlite');
  theirs = await openWriter(file);
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

it('has the size of what it holds, also while that is in the write-ahead log', () => {
  expect(statSync(file).size).toBeLessThan(10_000);
  expect(inspectStore(file)).toBeGreaterThan(100_000);
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

it.runIf(process.platform === 'linux')(
  'has its file closed afterwards, also when nothing was asked of it',
  async () => {
    const alone = `${file}.copy`;
    await copyFile(file, alone);
    const openFiles = async () =>
      (
        await Promise.all(
          (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
        )
      ).filter((path) => path === alone).length;
    const reader = openReader(alone);
    expect(await openFiles()).toBe(1);
    await reader.close();
    expect(await openFiles()).toBe(0);
  },
);

it('reports a full disk each time, and its end with the next write, by a statement or a transaction', async () => {
  const states: StoreState[] = [];
  const clock = { now: 0 };
  const health = new StoreHealth(
    (state) => states.push(state),
    () => clock.now,
  );
  const writer = await openWriter(file, { busyTimeoutMs: 1_000, health });
  onTestFinished(writer.close);
  const letGrow = (pages: number) => sql`PRAGMA max_page_count = ${sql.lit(pages)}`.execute(writer.db);
  const long = 'x'.repeat(1_000_000);
  const writes = [
    () => nameServers('short', writer),
    () => writer.db.transaction().execute(async (db) => await nameServers('shorter', { ...writer, db })),
    () => writer.db.updateTable('server').set({ name: 'returned' }).returning('id').execute(),
  ];
  for (const write of writes) {
    await letGrow(1);
    await expect(nameServers(long, writer)).rejects.toThrow('full');
    await expect(nameServers(long, writer)).rejects.toThrow('full');
    clock.now += 10_000;
    await letGrow(1_000_000);
    await writer.db.transaction().execute(async (tx) => await tx.selectFrom('server').select('id').execute());
    expect(states.splice(0)).toEqual(['unwritable']);
    await write();
    expect(states.splice(0)).toEqual(['writable']);
    expect(health.canWrite).toBe(true);
  }
});

it('tries a write once a second, however often strangers ask whether the store can be written', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let writes = 0;
  const counted = ours.db.withPlugin({
    transformQuery({ node }) {
      writes += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const probe = writeProbe(counted);
  for (const expected of [1, 2]) {
    for (let asked = 0; asked < 10; asked += 1) {
      probe();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(writes).toBe(expected);
    await vi.advanceTimersByTimeAsync(1_000);
  }
});
