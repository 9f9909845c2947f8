import type { MetricOf } from '../../../../api/metrics.ts';
import { type Column, integer, orNull, real } from './columns.ts';
import { type SnakeCase, snakeCase } from './metric-columns.ts';

/**
 * The figures of one player in one run of a log: the metric that each belongs to, and how two rows of a run are
 * joined when their players turn out to be one person: `sum`, `max`, or `longest`, a maximum where null means none.
 * Times are seconds.
 *
 * The three `life…` figures are the connected seconds between deaths, kept so that runs can be joined: before the
 * first death, the longest between two deaths, after the last. In a run without a death, all of it is head.
 */
export const runFigures = {
  playerKills: { metric: 'PLAYER_KILLS', join: 'sum' },
  deaths: { metric: 'DEATHS', join: 'sum' },
  suicides: { metric: 'SUICIDES', join: 'sum' },
  playSeconds: { metric: 'PLAYTIME', join: 'sum' },
  longestHitMeters: { metric: 'LONGEST_HIT', join: 'longest' },
  longestKillMeters: { metric: 'LONGEST_KILL', join: 'longest' },
  lifeHeadSeconds: { metric: null, join: 'max' },
  lifeBestSeconds: { metric: null, join: 'max' },
  lifeTailSeconds: { metric: null, join: 'max' },
} as const satisfies Record<string, { metric: MetricOf<'logs'> | null; join: 'sum' | 'max' | 'longest' }>;

export type RunFigure = keyof typeof runFigures;
type Value<Figure extends RunFigure> = (typeof runFigures)[Figure]['join'] extends 'longest'
  ? number | null
  : number;

export type RunPlayerRow = { [Figure in RunFigure]: Value<Figure> };
/** The figures of a player in a run, as columns of `log_run_player`. */
export type RunPlayerColumns = { [Figure in RunFigure as SnakeCase<Figure>]: Value<Figure> };
type RunColumn = keyof RunPlayerColumns;

const figures = Object.entries(runFigures).map(
  ([name, figure]) => ({ name: name as RunFigure, column: snakeCase(name as RunFigure), ...figure }) as const,
);

/** The columns of `log_run_player` besides its key. */
export const runColumns: readonly RunColumn[] = figures.map(({ column }) => column);

export const runFigureDefinitions = Object.fromEntries(
  figures.map(({ column, join }) => [column, join === 'longest' ? orNull(real()) : integer()]),
) as { readonly [Name in RunColumn]: Column<RunPlayerColumns[Name]> };

/** The metrics that are joined from run to run, each with its column. The longest life follows from several runs. */
export const runMetrics: readonly (readonly [MetricOf<'logs'>, RunColumn])[] = figures.flatMap(
  ({ metric, column }) => (metric === null ? [] : [[metric, column] as const]),
);

export function columnsOfRun(row: RunPlayerRow): RunPlayerColumns {
  return Object.fromEntries(figures.map(({ name, column }) => [column, row[name]])) as RunPlayerColumns;
}

/** Joins two rows of one run whose players turn out to be one person. */
export function joinRunColumns(a: RunPlayerColumns, b: RunPlayerColumns): RunPlayerColumns {
  const joined = figures.map(({ column, join }): [RunColumn, number | null] => {
    const [one, other] = [a[column] ?? 0, b[column] ?? 0];
    if (join === 'sum') return [column, one + other];
    const greatest = Math.max(one, other);
    return [column, join === 'longest' && greatest === 0 ? null : greatest];
  });
  return Object.fromEntries(joined) as RunPlayerColumns;
}
