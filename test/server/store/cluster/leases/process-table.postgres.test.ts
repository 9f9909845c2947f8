import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  listProcesses,
  ProcessView,
  registerProcess,
  unregisterProcess,
} from '../../../../../src/server/store/cluster/leases/process-table.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { type LeaseStore, openLeaseStore } from './lease-store.ts';

let store: LeaseStore;
let db: Database;
beforeEach(async () => {
  store = await openLeaseStore();
  db = store.db;
});
afterEach(async () => await store.close());

const passes = async (seconds: number): Promise<void> => {
  await sql`UPDATE process SET expires_at = expires_at - ${seconds} * interval '1 second'`.execute(db);
};

it('knows a process until it ends, or has not read the table for two seconds', async () => {
  await registerProcess(db, 'a', ['poll:0', 'poll:1']);
  await registerProcess(db, 'b', []);
  const view = new ProcessView();
  const both = new Map([
    ['a', ['poll:0', 'poll:1']],
    ['b', []],
  ]);
  expect(await view.read(db, 'a')).toEqual(both);
  await passes(1);
  expect(await view.read(db, 'a')).toEqual(both);
  await passes(2);
  expect(await view.read(db, 'a')).toEqual(new Map([['a', ['poll:0', 'poll:1']]]));
  expect(await listProcesses(db)).toEqual(['a']);
  // It was suspended.
  expect(await view.read(db, 'b')).toEqual(both);
  expect(await listProcesses(db)).toEqual(['a', 'b']);
  await unregisterProcess(db, 'b');
  expect([...(await view.read(db, 'b')).keys()]).toEqual(['a']);
});

it('learns what a process may hold from now on, and changes nothing where that is the same', async () => {
  const view = new ProcessView();
  await registerProcess(db, 'a', ['poll:0']);
  const before = await view.read(db, 'a');
  await registerProcess(db, 'a', ['poll:0']);
  expect(await view.read(db, 'a')).toBe(before);
  await registerProcess(db, 'b', ['poll:0', 'follow:s']);
  await registerProcess(db, 'a', ['poll:0', 'follow:s']);
  expect(Object.fromEntries(await view.read(db, 'a'))).toEqual({
    a: ['poll:0', 'follow:s'],
    b: ['poll:0', 'follow:s'],
  });
});

it('forgets processes that ended long ago, and takes none for alive whose clock was set back', async () => {
  await registerProcess(db, 'a', []);
  await passes(2 * 3_600);
  await registerProcess(db, 'b', []);
  const { rows } = await sql`SELECT name FROM process`.execute(db);
  expect(rows).toEqual([{ name: 'b' }]);
  await passes(-3_600);
  expect(await listProcesses(db)).toEqual([]);
});
