import type { Generated } from 'kysely';
import { metrics, type RunMetric, runMetrics } from '../../../../api/metrics.ts';
import { type Column, integer, real, withDefault } from './columns.ts';
import { metricColumns, type SnakeCase, snakeCase } from './metric-columns.ts';

/**
 * Connected seconds between deaths, kept so that lives can be joined from run to run: before the first death, the longest
 * between two deaths, after the last. In a run without a death, all of it is head.
 */
const lifeFigures = ['lifeHeadSeconds', 'lifeBestSeconds', 'lifeTailSeconds'] as const;

/** One of each metric, by its name in `player.stats`, and those of lives. */
type RunFigure = (typeof metrics)[RunMetric]['stat'] | (typeof lifeFigures)[number];
/** The figures of a player in a run. 0: nothing was counted. */
export type RunPlayerRow = Record<RunFigure, number>;
/** The same as columns of `log_run_player`. */
export type RunPlayerColumns = { [Figure in RunFigure as SnakeCase<Figure>]: number };

const figures = [
  ...runMetrics.map((code) => ({
    name: metrics[code].stat,
    column: metricColumns[code],
    join: metrics[code].join,
    unit: metrics[code].unit,
  })),
  ...lifeFigures.map((name) => ({ name, column: snakeCase(name), join: 'max', unit: 'seconds' })),
] as const;

export const runFigures: readonly RunFigure[] = figures.map(({ name }) => name);
/** The columns of `log_run_player` besides its key. */
export const runColumns = figures.map(({ column }) => column);

export const runFigureDefinitions = Object.fromEntries(
  figures.map(({ column, unit }) => [column, withDefault(unit === 'meters' ? real() : integer(), 0)]),
) as { readonly [Name in keyof RunPlayerColumns]: Column<Generated<number>> };

export function columnsOfRun(row: RunPlayerRow): RunPlayerColumns {
  return Object.fromEntries(figures.map(({ name, column }) => [column, row[name]])) as RunPlayerColumns;
}

/** Joins two rows of one run whose players turn out to be one person. */
export function joinRunColumns(a: RunPlayerColumns, b: RunPlayerColumns): RunPlayerColumns {
  const joined = figures.map(({ column, join }) => {
    const [one, other] = [a[column], b[column]];
    return [column, join === 'sum' ? one + other : Math.max(one, other)];
  });
  return Object.fromEntries(joined) as RunPlayerColumns;
}
