import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailable } from '../../../../../src/server/store/engine/error.ts';
import {
  type Database,
  openWriter,
  type WriteDatabase,
} from '../../../../../src/server/store/engine/database.ts';
import { write, writeProject, writeStore } from '../../../../../src/server/store/engine/transactions.ts';
import { openNewDatabase, patient, type NewStore } from '../../../../harness/new-store.ts';
import { onServer } from '../../../../harness/postgres-databases.ts';

let ours: NewStore;
beforeEach(async () => {
  ours = await openNewDatabase({ busyTimeoutMs: 60_000 });
  onTestFinished(ours.close);
});

/** Another process on the same store. */
async function another(options: Partial<Parameters<typeof openWriter>[1]> = {}): Promise<WriteDatabase> {
  const store = await openWriter(ours.location, { busyTimeoutMs: 60_000, limits: patient, ...options });
  onTestFinished(store.close);
  return store;
}

const project = (id: string) => ({
  id,
  slug: id,
  name: id,
  plan: 'PRO',
  suspended: 0,
  support: '{}',
  active: 1,
});

/** How many connections wait for an advisory lock. */
const waiting = async (): Promise<number> =>
  (
    await onServer<{ count: string }>(
      ours.location,
      `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).reduce((sum, { count }) => sum + Number(count), 0);

const add = async (db: Database, id: string): Promise<void> => {
  await db.insertInto('project').values(project(id)).execute();
};

it('lets writers of a project follow one another, each seeing what the one before has stored', async () => {
  const theirs = await another();
  const { later, other } = await writeProject(theirs.db, 'p', async (tx) => {
    const names = async (db: Database): Promise<string[]> =>
      (await db.selectFrom('project').select('name').execute()).map(({ name }) => name);
    const follower = writeProject(ours.db, 'p', names);
    await expect.poll(waiting).toBe(1);
    const other = await writeProject(ours.db, 'another', names);
    await add(tx, 'theirs');
    return { later: follower, other };
  });
  expect(other).toEqual([]);
  expect(await later).toEqual(['theirs']);
});

it('does a transaction again when two wait for each other', async () => {
  const theirs = await another();
  await add(ours.db, 'a');
  await add(ours.db, 'b');
  let attempts = 0;
  let updates = 0;
  let both = (): void => undefined;
  const haveBegun = new Promise<void>((resolve) => (both = resolve));
  const rename = async (db: Database, ...ids: [string, string]): Promise<void> =>
    await write(db, async (tx) => {
      attempts += 1;
      for (const id of ids) {
        await tx
          .updateTable('project')
          .set((row) => ({ name: sql`${row.ref('name')} || '+'` }))
          .where('id', '=', id)
          .execute();
        updates += 1;
        if (updates === 2) both();
        await haveBegun;
      }
    });
  await Promise.all([rename(ours.db, 'a', 'b'), rename(theirs.db, 'b', 'a')]);
  // More than once where the repeated one gets its row again before the other one has woken up.
  expect(attempts).toBeGreaterThanOrEqual(3);
  const rows = await ours.db.selectFrom('project').select('name').orderBy('id').execute();
  expect(rows).toEqual([{ name: 'a++' }, { name: 'b++' }]);
});

it('does not keep readers waiting', async () => {
  await ours.db.transaction().execute(async (tx) => {
    await tx.insertInto('project').values(project('a')).execute();
    expect(await ours.db.selectFrom('project').select('id').execute()).toEqual([]);
  });
});

it('gives up waiting in time, writes nothing, and can be used again', async () => {
  const theirs = await another({ busyTimeoutMs: 100 });
  await writeStore(ours.db, async (tx) => {
    await add(tx, 'a');
    const inUse = 'the store is in use';
    await expect(writeProject(theirs.db, 'p', (own) => add(own, 'b'))).rejects.toThrow(inUse);
    await expect(add(theirs.db, 'a')).rejects.toThrow(inUse);
  });
  await add(theirs.db, 'c');
  const rows = await ours.db.selectFrom('project').select('id').orderBy('id').execute();
  expect(rows).toEqual([{ id: 'a' }, { id: 'c' }]);
});

it('waits for longer while a process starts', async () => {
  const theirs = await another({ busyTimeoutMs: 100 });
  const { started } = await writeStore(ours.db, async () => {
    await expect(writeStore(theirs.db, (tx) => add(tx, 'b'))).rejects.toThrow('in use');
    const starting = writeStore(theirs.shared?.starting ?? theirs.db, (tx) => add(tx, 'c'));
    await expect.poll(waiting).toBe(1);
    await delay(300);
    return { started: starting };
  });
  await started;
  expect(await ours.db.selectFrom('project').select('id').execute()).toEqual([{ id: 'c' }]);
});

it('stores nothing of a transaction in which a statement failed, even if the failure is swallowed', async () => {
  const work = ours.db.transaction().execute(async (tx) => {
    await tx.insertInto('project').values(project('a')).execute();
    await tx
      .insertInto('project')
      .values(project('a'))
      .execute()
      .catch(() => undefined);
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(await ours.db.selectFrom('project').select('id').execute()).toEqual([]);
});

it('ends the transaction of a process that stands still, and others go on', async () => {
  // Idle for long enough that a busy machine does not end it before it has begun to stand still.
  const stopped = await another({ limits: { statementMs: 60_000, idleMs: 4_000 } });
  const late = writeStore(stopped.db, async (tx) => {
    await add(tx, 'late');
    // Waits for the lock that the stopped one holds, until the server takes it away.
    await writeStore(ours.db, (own) => add(own, 'other'));
    await add(tx, 'later');
  });
  await expect(late).rejects.toThrow(StoreUnavailable);
  expect(await ours.db.selectFrom('project').select('id').execute()).toEqual([{ id: 'other' }]);
  await stopped.db.insertInto('project').values(project('again')).execute();
});

it('gives deaths ids that only grow, in the order in which readers can see them, and never one again', async () => {
  const theirs = await another();
  await ours.db.insertInto('project').values(project('p')).execute();
  const server = {
    id: 's',
    project_id: 'p',
    position: 0,
    name: 's',
    game: 'dayz',
    host: 'h',
    port: 1,
    timezone: 'UTC',
  };
  await ours.db
    .insertInto('server')
    .values({ ...server, query_port: null, active: 1 })
    .execute();
  const run = await ours.db
    .insertInto('log_run')
    .values({
      server_id: 's',
      header: 'h',
      started_at: 0,
      bytes: 0,
      digest: '',
      imported_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const victim = await ours.db
    .insertInto('player')
    .values({ project_id: 'p' })
    .returning('id')
    .executeTakeFirstOrThrow();
  let number = 0;
  const death = () => ({
    server_id: 's',
    run_id: run.id,
    game_id: 'g',
    number: (number += 1),
    at: 0,
    victim_id: victim.id,
    cause: 'OTHER' as never,
    stored_at: 0,
    live: 0,
    killer_id: null,
    weapon: null,
    body_part: null,
    ammo: null,
    meters: null,
    victim_x: null,
    victim_z: null,
    killer_x: null,
    killer_z: null,
  });
  const idsNow = async (): Promise<number[]> =>
    (await ours.db.selectFrom('death').select('id').orderBy('id').execute()).map(({ id }) => id);
  const writing = { isDone: false };
  const { first, theirWork } = await writeProject(ours.db, 'p', async (tx) => {
    const { id } = await tx.insertInto('death').values(death()).returning('id').executeTakeFirstOrThrow();
    const work = writeProject(
      theirs.db,
      'p',
      async (own) => await own.insertInto('death').values(death()).execute(),
    ).finally(() => (writing.isDone = true));
    await expect.poll(async () => writing.isDone || (await waiting()) === 1).toBe(true);
    // A cursor that has read the later death would never meet the earlier one.
    expect(await idsNow()).toEqual([]);
    return { first: id, theirWork: work };
  });
  await theirWork;
  const ids = await idsNow();
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(first);
  const given = { id: 0 };
  const undone = ours.db.transaction().execute(async (tx) => {
    Object.assign(given, await tx.insertInto('death').values(death()).returning('id').executeTakeFirst());
    throw new Error('changed its mind');
  });
  await expect(undone).rejects.toThrow('changed its mind');
  await ours.db.deleteFrom('death').execute();
  const next = await ours.db.insertInto('death').values(death()).returning('id').executeTakeFirstOrThrow();
  expect(next.id).toBeGreaterThan(given.id);
});
