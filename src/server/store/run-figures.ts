import { type RawBuilder, sql } from 'kysely';
import type { MetricOf } from '../../api/metrics.ts';
import { type SnakeCase, snakeCase } from './metric-columns.ts';

/**
 * What one run of a log says of one player; of which metric it is the figure; and how two rows of a run join when their
 * players turn out to be one person: `sum`, `max`, or `longest`, a maximum where null stands for none. Times are seconds.
 *
 * The three `life…` figures are the connected seconds between deaths, kept so that runs join: before the first death, the
 * greatest between two deaths, after the last. In a run without a death, all is head.
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

/** What a run says of one player. */
export type RunPlayerRow = { [Figure in RunFigure]: Value<Figure> };
/** The same as columns of `log_run_player`. */
export type RunPlayerColumns = { [Figure in RunFigure as SnakeCase<Figure>]: Value<Figure> };
export type RunColumn = keyof RunPlayerColumns;

const names = Object.keys(runFigures) as RunFigure[];

/** The columns of `log_run_player` besides its key, in the order of `runValues`. */
export const runColumns: readonly RunColumn[] = names.map((name) => snakeCase(name));

/** The metrics that add up from run to run, each with its column. The longest life follows from several runs. */
export const runMetrics: readonly (readonly [MetricOf<'logs'>, RunColumn])[] = names.flatMap((name) => {
  const { metric } = runFigures[name];
  return metric === null ? [] : [[metric, snakeCase(name)] as const];
});

export function runValues(row: RunPlayerRow): (number | null)[] {
  return names.map((name) => row[name]);
}

/** Joins two rows of one run whose players turn out to be one person. `joinRunPlayers` does the same in SQL. */
export function joinRunRows(a: RunPlayerRow, b: RunPlayerRow): RunPlayerRow {
  const join = (name: RunFigure): number | null => {
    const [one, other] = [a[name] ?? 0, b[name] ?? 0];
    if (runFigures[name].join === 'sum') return one + other;
    const greatest = Math.max(one, other);
    return runFigures[name].join === 'longest' && greatest === 0 ? null : greatest;
  };
  return Object.fromEntries(names.map((name) => [name, join(name)])) as unknown as RunPlayerRow;
}

/** Assignments that join a stored row with the one that is `excluded`. */
export const joinRunPlayers: RawBuilder<unknown> = sql.join(
  names.map((name) => {
    const stored = sql.ref(`log_run_player.${snakeCase(name)}`);
    const added = sql.ref(`excluded.${snakeCase(name)}`);
    const joined = {
      sum: sql`${stored} + ${added}`,
      max: sql`max(${stored}, ${added})`,
      longest: sql`nullif(max(coalesce(${stored}, 0), coalesce(${added}, 0)), 0)`,
    };
    return sql`${sql.ref(snakeCase(name))} = ${joined[runFigures[name].join]}`;
  }),
);
