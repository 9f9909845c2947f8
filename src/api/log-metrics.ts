import {
  metricCodes,
  metrics,
  runMetrics,
  type MetricCode,
  type MetricUnit,
  type RunMetric,
} from './metrics.ts';

/**
 * What is counted from logs by period: the metrics of which each run of a server has a figure, and kills per death (`KD`),
 * which is no metric of the contract.
 */
export type LogMetric = RunMetric | 'KD';
export const logMetrics: readonly LogMetric[] = runMetrics.flatMap((code) =>
  code === 'PLAYER_KILLS' ? [code, 'KD' as const] : [code],
);

/** What a leaderboard of the bot or the page may show. */
export type BoardMetric = MetricCode | 'KD';
/** In the order in which they are offered. */
export const boardMetrics: readonly BoardMetric[] = [
  ...logMetrics,
  ...metricCodes.filter((code) => !isLogMetric(code)),
];

export function isLogMetric(metric: BoardMetric): metric is LogMetric {
  return (logMetrics as readonly BoardMetric[]).includes(metric);
}

/** Emoji that marks the leaderboard. */
export const signOf = (metric: BoardMetric): string => (metric === 'KD' ? '⚖️' : metrics[metric].sign);

export const unitOf = (metric: BoardMetric): MetricUnit | 'ratio' =>
  metric === 'KD' ? 'ratio' : metrics[metric].unit;

/** Players with fewer kills in a period are not on its leaderboard of kills per death. */
export const leastKillsForRatio = 5;

/** Kinds of period. In options and the config, a kind stands for its period that is running now. */
export const periodKinds = ['week', 'month', 'season', 'wipe'] as const;
export type PeriodKind = (typeof periodKinds)[number];
