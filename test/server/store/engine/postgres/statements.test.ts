import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { byDialect } from '../../../../../src/server/store/engine/dialect.ts';
import { openReader } from '../../../../../src/server/store/engine/database.ts';
import { openNewDatabase, type NewStore } from '../../../../harness/new-store.ts';

async function newStore(): Promise<NewStore> {
  const store = await openNewDatabase();
  onTestFinished(store.close);
  await store.db
    .insertInto('project')
    .values({ id: 'p', slug: 'p', name: 'P', plan: 'PRO', suspended: 0, support: '{}', active: 1 })
    .execute();
  return store;
}

const players = ({ db }: NewStore, names: readonly string[]) =>
  db
    .insertInto('player')
    .values(names.map((name) => ({ project_id: 'p', name })))
    .execute();

it('writes PostgreSQL’s side of what the engines word differently, at any depth', async () => {
  const { db } = await newStore();
  const inner = byDialect<string>(sql`'inner sqlite'`, () => sql`'inner postgres'`);
  const outer = byDialect<string>(sql`'sqlite ' || ${inner}`, () => sql`'postgres ' || ${inner}`);
  expect(await db.selectNoFrom(outer.as('said')).execute()).toEqual([{ said: 'postgres inner postgres' }]);
});

it('reads numbers as numbers, and conditions as 0 or 1', async () => {
  const { db } = await newStore();
  const row = await db
    .selectFrom('project')
    .select([
      'kills_kept_ms',
      sql<number>`count(*)`.as('count'),
      sql<number>`sum(kills_kept_ms)`.as('sum'),
      sql<number>`1.5::double precision`.as('real'),
      sql<number>`count(*) > 0`.as('any'),
      sql<number>`count(*) > 9`.as('many'),
    ])
    .groupBy('kills_kept_ms')
    .execute();
  const kept = 90 * 86_400_000;
  expect(row).toEqual([{ kills_kept_ms: kept, count: 1, sum: kept, real: 1.5, any: 1, many: 0 }]);
});

it('stores text that has no form in PostgreSQL with replacement characters, in values and in lists', async () => {
  const store = await newStore();
  await players(store, ['a\0b', 'lone \uD800 surrogate', 'emoji 🎮']);
  const names = sql<string>`unnest(${['c\0', 'd\uDC00']}::text[])`;
  expect(await store.db.selectNoFrom(names.as('name')).execute()).toEqual([
    { name: 'c\uFFFD' },
    { name: 'd\uFFFD' },
  ]);
  const stored = await store.db.selectFrom('player').select('name').orderBy('id').execute();
  expect(stored.map(({ name }) => name)).toEqual(['a\uFFFDb', 'lone \uFFFD surrogate', 'emoji 🎮']);
});

it('compares text by its bytes, and names without case for ASCII only, as SQLite does', async () => {
  const store = await newStore();
  await players(store, ['b', 'B', 'a', 'É', 'é', '_']);
  const sorted = await store.db.selectFrom('player').select('name').orderBy('name').execute();
  expect(sorted.map(({ name }) => name)).toEqual(['B', '_', 'a', 'b', 'É', 'é']);
  const { rows } = await sql<{ found: string }>`SELECT lower(name) AS found FROM player ORDER BY id`.execute(
    store.db,
  );
  expect(rows.map(({ found }) => found)).toEqual(['b', 'b', 'a', 'É', 'é', '_']);
});

it('finds nothing in an empty list, and everything outside of it', async () => {
  const store = await newStore();
  await players(store, ['a', 'b']);
  const found = (operator: 'in' | 'not in') =>
    store.db.selectFrom('player').select('name').where('id', operator, []).execute();
  expect(await found('in')).toEqual([]);
  expect(await found('not in')).toHaveLength(2);
});

it('says how many rows a statement has changed', async () => {
  const store = await newStore();
  await players(store, ['a', 'b', 'c']);
  const changed = await store.db.updateTable('player').set({ hidden: 1 }).where('name', '<>', 'a').execute();
  expect(changed[0]?.numUpdatedRows).toBe(2n);
  const gone = await store.db.deleteFrom('player').where('hidden', '=', 1).execute();
  expect(gone[0]?.numDeletedRows).toBe(2n);
});

it('lets a reader only read', async () => {
  const { location } = await newStore();
  const { db, close } = openReader(location);
  onTestFinished(close);
  expect(await db.selectFrom('project').select('id').execute()).toEqual([{ id: 'p' }]);
  const asWriter = db as NewStore['db'];
  await expect(asWriter.deleteFrom('project').execute()).rejects.toThrow('only reads');
  await expect(sql`DELETE FROM project`.execute(asWriter)).rejects.toThrow('only reads');
  await expect(asWriter.transaction().execute(async () => undefined)).rejects.toThrow('only reads');
});
