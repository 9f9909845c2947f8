/** Unit of a leaderboard's raw `value`. */
export type MetricUnit = 'count' | 'meters' | 'seconds';

export interface Metric {
  /** The name of the same figure in `player.stats`. */
  stat: PlayerStat;
  unit: MetricUnit;
  /** How the figures of several servers or sources of one player join. */
  join: 'sum' | 'max';
}

export type PlayerStat =
  | 'playerKills'
  | 'deaths'
  | 'suicides'
  | 'zombieKills'
  | 'animalKills'
  | 'totalPlaySeconds'
  | 'longestLifeSeconds'
  | 'longestHitMeters'
  | 'longestKillMeters';

/** The nine leaderboards, in the order in which they are served. The only list of them. */
export const metrics = {
  PLAYER_KILLS: { stat: 'playerKills', unit: 'count', join: 'sum' },
  DEATHS: { stat: 'deaths', unit: 'count', join: 'sum' },
  SUICIDES: { stat: 'suicides', unit: 'count', join: 'sum' },
  LONGEST_HIT: { stat: 'longestHitMeters', unit: 'meters', join: 'max' },
  LONGEST_KILL: { stat: 'longestKillMeters', unit: 'meters', join: 'max' },
  ZOMBIE_KILLS: { stat: 'zombieKills', unit: 'count', join: 'sum' },
  ANIMAL_KILLS: { stat: 'animalKills', unit: 'count', join: 'sum' },
  PLAYTIME: { stat: 'totalPlaySeconds', unit: 'seconds', join: 'sum' },
  LONGEST_LIFE: { stat: 'longestLifeSeconds', unit: 'seconds', join: 'max' },
} as const satisfies Record<string, Metric>;

export type MetricCode = keyof typeof metrics;

export const metricCodes = Object.keys(metrics) as [MetricCode, ...MetricCode[]];

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A figure as the service displays it: `1,234` · `812.4 m` · `3d 4h 12m` (below a minute `45s`). */
export function formatMetricValue(unit: MetricUnit, value: number): string {
  switch (unit) {
    case 'count':
      return grouped.format(value);
    case 'meters':
      return `${oneDecimal.format(value)} m`;
    case 'seconds':
      return formatSeconds(value);
  }
}

function formatSeconds(value: number): string {
  const seconds = Math.floor(value);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${grouped.format(days)}d ${hours % 24}h ${minutes % 60}m`;
  if (hours > 0) return `${hours}h ${minutes % 60}m`;
  return `${minutes}m`;
}
