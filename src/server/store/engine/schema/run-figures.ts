import type { MetricOf } from '../../../../api/metrics.ts';
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
/** The same as columns of `log_run_player`. */
export type RunPlayerColumns = { [Figure in RunFigure as SnakeCase<Figure>]: Value<Figure> };
export type RunColumn = keyof RunPlayerColumns;

const names = Object.keys(runFigures) as RunFigure[];

/** The columns of `log_run_player` besides its key, in the order of `RunValues`. */
export const runColumns: readonly RunColumn[] = names.map((name) => snakeCase(name));

export const runColumnTypes = Object.fromEntries(
  names.map((name) => [snakeCase(name), runFigures[name].join === 'longest' ? 'real' : 'integer']),
) as Readonly<Record<RunColumn, 'real' | 'integer'>>;

/** The metrics that are joined from run to run, each with its column. The longest life follows from several runs. */
export const runMetrics: readonly (readonly [MetricOf<'logs'>, RunColumn])[] = names.flatMap((name) => {
  const { metric } = runFigures[name];
  return metric === null ? [] : [[metric, snakeCase(name)] as const];
});

/** The figures of a row, in the order of `runColumns`. */
export type RunValues = readonly (number | null)[];

export function runValues(row: RunPlayerRow): RunValues {
  return names.map((name) => row[name]);
}

/** Joins the values of two rows of one run whose players turn out to be one person. */
export function joinRunValues(a: RunValues, b: RunValues): RunValues {
  return names.map((name, i) => {
    const [one, other] = [a[i] ?? 0, b[i] ?? 0];
    if (runFigures[name].join === 'sum') return one + other;
    const greatest = Math.max(one, other);
    return runFigures[name].join === 'longest' && greatest === 0 ? null : greatest;
  });
}
