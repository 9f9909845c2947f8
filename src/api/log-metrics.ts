import { metrics, type MetricCode, type MetricUnit } from './metrics.ts';

/**
 * What the bot counts from logs by week, month, season or wipe: the leaderboards whose figures add up from run to run, and
 * kills per death (`KD`), which the service has no leaderboard of.
 */
export const logMetrics = [
  'PLAYER_KILLS',
  'KD',
  'DEATHS',
  'SUICIDES',
  'LONGEST_HIT',
  'LONGEST_KILL',
  'PLAYTIME',
] as const satisfies (MetricCode | 'KD')[];
export type LogMetric = (typeof logMetrics)[number];

/** What a leaderboard may show. */
export type BoardMetric = MetricCode | 'KD';
/** In the order in which they are offered. */
export const boardMetrics: readonly BoardMetric[] = [
  ...logMetrics,
  ...(Object.keys(metrics) as MetricCode[]).filter((code) => !isLogMetric(code)),
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
