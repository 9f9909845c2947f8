import { array, assert, asyncProperty, constantFrom, integer, option, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { leastKillsForRatio, type LogMetric, logMetrics } from '../../../../../src/api/log-metrics.ts';
import { metrics, type RunMetric, runMetrics } from '../../../../../src/api/metrics.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { columnsOfRun } from '../../../../../src/server/store/engine/schema/run-figures.ts';
import { readLeaderboard } from '../../../../../src/server/store/repositories/players/leaderboards.ts';
import {
  readFiguresBefore,
  readPeriodFigures,
  readRatioFigures,
  startOfPeriod,
  withPlayers,
} from '../../../../../src/server/store/repositories/players/period-boards.ts';
import { earliestOf } from '../../../../../src/server/store/repositories/projects/projects.ts';
import { refreshStatistics } from '../../../../../src/server/store/repositories/players/statistics.ts';
import { onPostgres } from '../../../../harness/new-store.ts';
import { runRow } from '../../../../harness/run-rows.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

const readPeriodBoard = async (...args: Parameters<typeof readPeriodFigures>) =>
  await withPlayers(args[0], await readPeriodFigures(...args));
const readRatioBoard = async (...args: Parameters<typeof readRatioFigures>) =>
  await withPlayers(args[0], await readRatioFigures(...args));

/** `e` is hidden. */
const names = ['a', 'b', 'c', 'd', 'e'] as const;
type Name = (typeof names)[number];

type Row = { name: Name } & Readonly<Partial<Record<RunMetric, number>>>;

/** A run, with the figures of each player in it. */
interface Run {
  server: 's' | 't';
  at: number;
  rows: readonly Row[];
}

const few = integer({ min: 0, max: 4 });
const meters = integer({ min: 0, max: 6 }).map((value) => value * 1.5);
const figures = Object.fromEntries(
  runMetrics.map((code) => [code, metrics[code].unit === 'meters' ? meters : few]),
) as Record<RunMetric, typeof few>;
const rowOf = (name: Name) => record(figures).map((row): Row => ({ name, ...row }));
const runs = array(
  tuple(
    constantFrom('s' as const, 't' as const),
    integer({ min: 1, max: 8 }),
    tuple(...names.map((name) => option(rowOf(name)))),
  ).map(([server, at, rows]): Run => ({ server, at, rows: rows.filter((row) => row !== null) })),
  { maxLength: 8 },
);

/** Stores runs over what an earlier call stored. @returns the ids of the players */
async function store(db: Database, all: readonly Run[]): Promise<ReadonlyMap<Name, number>> {
  await db.deleteFrom('log_run').execute();
  await db.deleteFrom('player_stats').execute();
  await db.deleteFrom('player').execute();
  const ids = new Map<Name, number>();
  for (const name of names) {
    const { id } = await db
      .insertInto('player')
      .values({ project_id: 'p', name, hidden: name === 'e' ? 1 : 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(name, id);
  }
  for (const [i, { server, at, rows }] of all.entries()) {
    const { id } = await db
      .insertInto('log_run')
      .values({
        server_id: server,
        header: String(i),
        started_at: at,
        bytes: 0,
        digest: '',
        imported_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const players = rows.map((row) => ({
      run_id: id,
      player_id: ids.get(row.name)!,
      ...columnsOfRun(
        runRow(Object.fromEntries(runMetrics.map((code) => [metrics[code].stat, row[code] ?? 0]))),
      ),
    }));
    if (players.length > 0) await db.insertInto('log_run_player').values(players).execute();
  }
  await db.transaction().execute((tx) => refreshStatistics(tx, ids.values()));
  return ids;
}

const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);

function valueOf(metric: LogMetric, rows: readonly Row[]): number {
  if (metric === 'KD') {
    const kills = valueOf('PLAYER_KILLS', rows);
    return kills < leastKillsForRatio ? 0 : kills / Math.max(1, valueOf('DEATHS', rows));
  }
  const values = rows.map((row) => row[metric] ?? 0);
  return metrics[metric].join === 'sum' ? sum(values) : Math.max(0, ...values);
}

/** The same board, counted plainly. */
function plainBoard(all: readonly Run[], metric: LogMetric, from = 0, until = Infinity): [string, number][] {
  const rows = all.filter(({ at }) => at >= from && at < until).flatMap((one) => one.rows);
  return names
    .filter((name) => name !== 'e')
    .map((name): [string, number] => [
      name,
      valueOf(
        metric,
        rows.filter((row) => row.name === name),
      ),
    ])
    .filter(([, value]) => value > 0)
    .toSorted(([, one], [, other]) => other - one);
}

const pairs = (rows: readonly { player: { name: string | null }; value: number }[]) =>
  rows.map(({ player, value }) => [player.name, value]);

test('boards of any period agree with a plain count, those over all time included', async () => {
  const db = await temporaryStore(['s', 't']);
  await assert(
    asyncProperty(runs, few, few, async (all, from, length) => {
      await store(db, all);
      for (const metric of logMetrics) {
        const board = async (first: number, until: number | null) =>
          pairs(await readPeriodBoard(db, 'p', { metric, from: first, until }, 10));
        expect(await board(from, from + length)).toEqual(plainBoard(all, metric, from, from + length));
        expect(await board(from, null)).toEqual(plainBoard(all, metric, from));
        const whole =
          metric === 'KD'
            ? await readRatioBoard(db, 'p', 10)
            : (await readLeaderboard(db, 'p', metric, 10)).rows;
        expect(await board(0, null)).toEqual(pairs(whole));
      }
      expect(await earliestOf(db, 'p', 'log_run.started_at')).toBe(
        all.length === 0 ? null : Math.min(...all.map(({ at }) => at)),
      );
    }),
    { numRuns: onPostgres ? 20 : 60 },
  );
});

test('what everybody had before is the board of the runs until then', async () => {
  const db = await temporaryStore(['s', 't']);
  await assert(
    asyncProperty(runs, integer({ min: 1, max: 9 }), async (all, since) => {
      await store(db, all);
      for (const metric of logMetrics) {
        if (metric === 'KD') continue;
        const rows = (await readFiguresBefore(db, 'p', metric, since, 10)) ?? [];
        expect(pairs(rows)).toEqual(plainBoard(all, metric));
        const before = rows.filter((row) => row.before > 0).map((row) => [row.player.name, row.before]);
        const plain = plainBoard(all, metric, 0, since);
        expect(new Map(before as [string, number][])).toEqual(new Map(plain));
      }
    }),
    { numRuns: onPostgres ? 20 : 60 },
  );
});

test('nobody knows when what players.db counts has happened', async () => {
  const db = await temporaryStore(['s', 't']);
  await store(db, [{ server: 's', at: 5, rows: [{ name: 'a', PLAYER_KILLS: 3, DEATHS: 1 }] }]);
  expect(await readFiguresBefore(db, 'p', 'PLAYER_KILLS', 4, 10)).toMatchObject([{ value: 3, before: 0 }]);
  await db.insertInto('players_db').values({ server_id: 't', read_at: 0 }).execute();
  expect(await readFiguresBefore(db, 'p', 'PLAYER_KILLS', 4, 10)).toBeNull();
  expect(await readFiguresBefore(db, 'p', 'DEATHS', 4, 10)).not.toBeNull();
});

test('other projects and the limit', async () => {
  const db = await temporaryStore(['s', 't']);
  const row = (name: Name): Row => ({ name, PLAYER_KILLS: 3, DEATHS: 1 });
  await store(db, [{ server: 's', at: 5, rows: [row('b'), row('a'), row('c')] }]);
  const filter = { metric: 'PLAYER_KILLS', from: 0, until: null } as const;
  expect(pairs(await readPeriodBoard(db, 'p', filter, 2))).toEqual([
    ['a', 3],
    ['b', 3],
  ]);
  expect(await readPeriodBoard(db, 'q', filter, 2)).toEqual([]);
});

test('weeks begin on Monday in the zone, and have 167 hours when summer time begins', () => {
  const now = Date.parse('2026-04-01T12:00:00Z');
  const week = (back?: number) => new Date(startOfPeriod('week', 'Europe/Berlin', now, back)).toISOString();
  expect(week()).toBe('2026-03-29T22:00:00.000Z');
  expect(week(1)).toBe('2026-03-22T23:00:00.000Z');
  expect(new Date(startOfPeriod('month', 'Europe/Berlin', now, 1)).toISOString()).toBe(
    '2026-02-28T23:00:00.000Z',
  );
});

test('the month before a first day without a midnight begins at midnight', () => {
  // In Asunción the clocks went forward at the first midnight of October 2023.
  const now = Date.parse('2023-10-15T12:00:00Z');
  const month = (back: number) =>
    new Date(startOfPeriod('month', 'America/Asuncion', now, back)).toISOString();
  expect([month(0), month(1)]).toEqual(['2023-10-01T04:00:00.000Z', '2023-09-01T04:00:00.000Z']);
});
