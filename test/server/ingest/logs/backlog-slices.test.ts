import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely, TransactionBuilder } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src/process/clock.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import {
  markStale,
  refreshStale,
} from '../../../../src/server/store/repositories/players/stale-statistics.ts';
import { readLeaderboardRevision } from '../../../../src/server/store/repositories/players/leaderboards.ts';
import { createSourceWatch, importLogs } from '../../../harness/logs.ts';
import { storePlayers } from '../../../harness/northwood.ts';
import { contents, run, temporaryFolder, temporaryStore } from '../fixture.ts';

const players = 200;
const idOf = (player: number): string => `${String(player).padStart(43, 'x')}=`;
/** A log with several runs, in each of which everybody dies. */
const runs = (count: number): string =>
  Array.from({ length: count }, (_, day) =>
    run(
      ...Array.from({ length: players }, (_, at) => [
        `12:00:00 | Player "P${at}"(id=${idOf(at)}) is connected`,
        `12:10:00 | Player "P${at}" (DEAD) (id=${idOf(at)} pos=<1, 2, 3>) died. Stats> Water: 1 Energy: 2`,
      ]).flat(),
    ).replace('2024-05-01', new Date(Date.UTC(2024, 4, 1 + day)).toISOString().slice(0, 10)),
  ).join('');

/** By which every transaction takes a second. */
const slowClock = (): (() => number) => {
  let now = 0;
  return () => (now += 1_000);
};
const atOnce = (): number => 0;

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'x.ADM');
});

async function countTransactions(work: () => Promise<unknown>): Promise<number> {
  const executed = vi.spyOn(TransactionBuilder.prototype, 'execute');
  await work();
  const { length } = executed.mock.calls;
  executed.mockRestore();
  return length;
}

test('a long log is imported in transactions that get smaller while they take long, with the same result', async () => {
  writeFileSync(file, runs(25));
  const [fast, slow] = [await temporaryStore(), await temporaryStore()];
  const options = { serverId: 's', files: [file], now: () => 0 };
  const few = await countTransactions(() => importLogs(fast, { ...options, monotonic: atOnce }));
  const many = await countTransactions(() => importLogs(slow, { ...options, monotonic: slowClock() }));
  expect(few).toBeLessThanOrEqual(5);
  // Most of them have so few runs that they are hardly longer than an empty one.
  expect(many).toBeGreaterThan(8);
  expect(await contents(slow)).toEqual(await contents(fast));
});

describe('what ends between two transactions of a log', () => {
  const options = () => ({ serverId: 's', files: [file], now: () => 0, monotonic: slowClock() });
  const storedRuns = async (db: Database): Promise<number> =>
    ((await contents(db)) as { runs: unknown[] }).runs.length;

  /** Lets so many transactions of some work succeed. */
  async function killAfter(transactions: number, work: () => Promise<unknown>): Promise<void> {
    const begin = Kysely.prototype.transaction;
    const killed = vi.spyOn(Kysely.prototype, 'transaction').mockImplementation(function (this: Database) {
      if (killed.mock.calls.length > transactions) throw new Error('killed');
      return begin.call(this);
    });
    await work().catch(() => undefined);
    killed.mockRestore();
  }

  test('is completed by importing again', async () => {
    writeFileSync(file, runs(25));
    const [db, whole] = [await temporaryStore(), await temporaryStore()];
    await killAfter(4, () => importLogs(db, options()));
    const stored = await storedRuns(db);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(25);
    // As the next start does.
    await refreshStale(db);
    expect(await importLogs(db, options())).toMatchObject({ runs: { new: 25 - stored, known: stored } });
    await importLogs(whole, options());
    expect(await contents(db)).toEqual(await contents(whole));
  });

  test('is read again by the next process that follows its folder', async () => {
    writeFileSync(file, runs(25));
    // While another file is newer, it is read whole.
    writeFileSync(join(dirname(file), 'y.ADM'), runs(26).slice(runs(25).length));
    utimesSync(file, 0, 0);
    const sources = { servers: [{ id: 's', logs: dirname(file) }], banlists: [] };
    const [db, whole] = [await temporaryStore(), await temporaryStore()];
    const clock = { ...systemClock, monotonic: slowClock() };
    await killAfter(4, () => createSourceWatch(db, { clock }).importChanged(sources));
    const stored = await storedRuns(db);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(25);
    for (const store of [db, whole]) await createSourceWatch(store).importChanged(sources);
    expect(await storedRuns(db)).toBe(26);
    expect(await contents(db)).toEqual(await contents(whole));
  });
});

test('a log that was there before is followed in parts that get smaller while they take long', async () => {
  writeFileSync(file, runs(75));
  const sources = { servers: [{ id: 's', logs: dirname(file) }], banlists: [] };
  const follow = async (monotonic: () => number) => {
    const db = await temporaryStore();
    const watch = createSourceWatch(db, { clock: { ...systemClock, monotonic } });
    const transactions = await countTransactions(() => watch.importChanged(sources));
    return { transactions, contents: await contents(db) };
  };
  const [fast, slow] = [await follow(atOnce), await follow(slowClock())];
  expect(slow.transactions).toBeGreaterThan(fast.transactions + 5);
  expect(slow.contents).toEqual(fast.contents);
});

test('figures that are left to the end of a backlog are derived in such transactions', async () => {
  const ids = Array.from({ length: 480 }, (_, at) => at + 1);
  const refresh = async (monotonic: () => number): Promise<number> => {
    const db = await temporaryStore();
    await storePlayers(db, 'p', ids);
    await markStale(db, ids);
    const transactions = await countTransactions(() => refreshStale(db, monotonic));
    expect(await db.selectFrom('stale_statistics').selectAll().execute()).toEqual([]);
    return transactions;
  };
  expect(await refresh(atOnce)).toBe(2);
  expect(await refresh(slowClock())).toBeGreaterThan(10);
});

test('leaderboards change with the last of them, and meanwhile with what others change', async () => {
  const db = await temporaryStore();
  const kills = Array.from({ length: 480 }, (_, at) => at + 1);
  const ids = await storePlayers(db, 'p', kills);
  await markStale(db, ids);
  const before = await readLeaderboardRevision(db, 'p');
  const revisions: number[] = [];
  const { execute } = TransactionBuilder.prototype;
  vi.spyOn(TransactionBuilder.prototype, 'execute').mockImplementation(async function (this: never, work) {
    const result = await execute.call(this, work);
    revisions.push(await readLeaderboardRevision(db, 'p'));
    if (revisions.length === 2) {
      const player_id = ids.at(-1) as number;
      await db
        .updateTable('player_stats')
        .set({ player_kills: 999 })
        .where('player_id', '=', player_id)
        .execute();
    }
    return result;
  });
  await refreshStale(db, slowClock());
  vi.restoreAllMocks();
  const others = revisions.length - 3;
  expect(others).toBeGreaterThan(5);
  const last = revisions.pop() as number;
  expect(revisions).toEqual([before, before, ...Array.from({ length: others }, () => before + 1)]);
  expect(last).toBeGreaterThan(before + 1);
});
