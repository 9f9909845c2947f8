import {
  metricCodes,
  metrics,
  runMetrics,
  type MetricCode,
  type MetricUnit,
  type RunMetric,
} from './metrics.ts';

/**
 * What the bot counts from logs by week, month, season or wipe: the leaderboards of which each run has a figure, and
 * kills per death (`KD`), which the service has no leaderboard of.
 */
export type LogMetric = RunMetric | 'KD';
export const logMetrics: readonly LogMetric[] = runMetrics.flatMap((code) =>
  code === 'PLAYER_KILLS' ? [code, 'KD' as const] : [code],
);

/** What a leaderboard may show. */
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

/** Who has fewer kills in a period has no place by kills per death. */
export const leastKillsForRatio = 5;

/** The running one of each, as options and the config name them. */
export const periodKinds = ['week', 'month', 'season', 'wipe'] as const;
export type PeriodKind = (typeof periodKinds)[number];
