import { expect, it, onTestFinished } from 'vitest';
import { openWriter, type WriteDatabase } from '../../../../../src/server/store/engine/database.ts';
import { StoreError } from '../../../../../src/server/store/engine/error.ts';
import { migrations } from '../../../../../src/server/store/engine/migrations.ts';
import { newDatabase, openNewDatabase } from '../../../../harness/new-store.ts';
import { onServer, type TestDatabase } from '../../../../harness/postgres-databases.ts';

const options = { busyTimeoutMs: 60_000 };

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await newDatabase();
  onTestFinished(database.drop);
  return database;
}

async function open(url: string): Promise<WriteDatabase> {
  const store = await openWriter(url, options);
  onTestFinished(store.close);
  return store;
}

const tablesOf = async (url: string): Promise<string[]> =>
  (
    await onServer<{ name: string }>(
      url,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
  ).map(({ name }) => name);

it('is migrated once when three processes start at once', async () => {
  const { url } = await emptyDatabase();
  const stores = await Promise.all([open(url), open(url), open(url)]);
  for (const { db } of stores) {
    expect(await db.selectFrom('rights').select('id').execute()).toEqual([{ id: 1 }]);
  }
  const applied = await onServer(url, 'SELECT name FROM kysely_migration ORDER BY name');
  expect(applied).toEqual(Object.keys(migrations.postgres).map((name) => ({ name })));
});

it('is empty after a migration that failed, and can be migrated afterwards', async () => {
  const { url } = await emptyDatabase();
  await onServer(url, 'CREATE TABLE death (id bigint)');
  await expect(open(url)).rejects.toThrow('already exists');
  expect(await tablesOf(url)).not.toContain('player');
  await onServer(url, 'DROP TABLE death');
  await open(url);
  expect(await tablesOf(url)).toContain('player');
});

it('is refused with what to do when it was made before 1.0.0', async () => {
  const store = await openNewDatabase(options);
  onTestFinished(store.close);
  await onServer(store.location, `UPDATE kysely_migration SET name = '0020-postgres-baseline'`);
  await expect(openWriter(store.location, options)).rejects.toThrow(
    /made before Outpost 1\.0\.0.*new data folder or database.*outpost import adm/,
  );
});

it('is not opened by an older Outpost', async () => {
  const store = await openNewDatabase(options);
  onTestFinished(store.close);
  await onServer(store.location, `INSERT INTO kysely_migration VALUES ('1.1.0-newer', 'now')`);
  const opening = openWriter(store.location, options);
  await expect(opening).rejects.toThrow(StoreError);
  await expect(opening).rejects.toThrow(
    /was made by a newer Outpost \(migration 1.1.0-newer\).*Start that version/,
  );
});
