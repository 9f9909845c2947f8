import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLeases } from '../../../../../src/server/store/cluster/leases/lease-table.ts';
import type { Database, SharedStore } from '../../../../../src/server/store/engine/database.ts';
import { LeaseLost } from '../../../../../src/server/store/engine/error.ts';
import { joined } from '../../../../../src/server/store/engine/scopes.ts';
import { readTogether, writeAndRead } from '../../../../../src/server/store/engine/send-together.ts';
import { type LeaseStore, openLeaseStore } from '../../cluster/leases/lease-store.ts';

let store: LeaseStore;
let shared: SharedStore;
beforeEach(async () => {
  store = await openLeaseStore();
  shared = await store.connect();
});
afterEach(async () => await store.close());

const raise = { statement: sql`UPDATE rights SET revision = revision + 1` };
const revision = sql<{ revision: number }>`SELECT revision FROM rights`;
const stored = async (): Promise<number | undefined> => (await revision.execute(store.db)).rows[0]?.revision;

/** Transactions under leases of this process. */
async function following(...names: string[]): Promise<[Database, ...Database[]]> {
  const leases = await takeLeases(store.db, 'a', names);
  return leases.map((lease) => shared.fenced([lease])) as [Database, ...Database[]];
}

it('sends statements together, in their order', async () => {
  const db = joined(await following('follow:a'));
  await db.transaction().execute(async (tx) => {
    const [[after]] = await writeAndRead(tx, [raise, raise], [revision]);
    expect(after?.revision).toBe(2);
  });
  expect(await stored()).toBe(2);
});

it('stores nothing when one of several leases is lost, and says which', async () => {
  const dbs = await following('follow:a', 'follow:b');
  await sql`UPDATE lease SET expires_at = to_timestamp(0) WHERE name = 'follow:b'`.execute(store.db);
  await takeLeases(store.db, 'b', ['follow:b']);
  const change = joined(dbs)
    .transaction()
    .execute(async (tx) => await writeAndRead(tx, [raise], []));
  await expect(change).rejects.toThrow(new LeaseLost('another process has taken over follow:b'));
  expect(await stored()).toBe(0);
  await joined([dbs[0]])
    .transaction()
    .execute(async (tx) => await writeAndRead(tx, [raise], []));
  expect(await stored()).toBe(1);
});

it('keeps every lease from being taken until the transaction has ended', async () => {
  const dbs = await following('follow:a', 'follow:b');
  await joined(dbs)
    .transaction()
    .execute(async (tx) => {
      await readTogether(tx, [revision]);
      await sql`UPDATE lease SET expires_at = to_timestamp(0)`.execute(store.db);
      expect(await takeLeases(store.db, 'b', ['follow:a', 'follow:b'])).toEqual([]);
    });
  expect(await takeLeases(store.db, 'b', ['follow:a', 'follow:b'])).toHaveLength(2);
});

it('fails with the error of the statement that failed, and goes on with the next transaction', async () => {
  const db = joined(await following('follow:a'));
  const change = db
    .transaction()
    .execute(
      async (tx) => await writeAndRead(tx, [raise, { statement: sql`SELECT 1 / 0` }, raise], [revision]),
    );
  await expect(change).rejects.toThrow('division by zero');
  expect(await stored()).toBe(0);
  await db.transaction().execute(async (tx) => await writeAndRead(tx, [raise], []));
  expect(await stored()).toBe(1);
});

it('has a connection keep the statements that are sent together, but none through a pooler', async () => {
  const db = joined(await following('follow:a'));
  const inTransaction = async <Row>(work: (tx: Database) => Promise<Row>) =>
    await db.transaction().execute(work);
  await inTransaction(async (tx) => await readTogether(tx, [revision]));
  const kept = await inTransaction(async (tx) => {
    await readTogether(tx, [revision, revision]);
    const names = sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements WHERE name <> ''`;
    return (await names.execute(tx)).rows.map(({ statement }) => statement);
  });
  expect(kept).toEqual(process.env['OUTPOST_TEST_PGBOUNCER'] === '1' ? [] : ['SELECT revision FROM rights']);
});
