/** Units of a leaderboard's raw `value`. */
export const metricUnits = ['count', 'meters', 'seconds'] as const;
export type MetricUnit = (typeof metricUnits)[number];

/** Files of a game server: its admin logs, and the game's database of characters. */
export type MetricSource = 'logs' | 'players.db';

export interface Metric {
  /** The name of the same figure in `player.stats`. */
  stat: string;
  unit: MetricUnit;
  /**
   * How several figures of one player become one: those of several runs (from a start of the server to its end), servers or
   * sources, and those of two ids in one run that turn out to be one person.
   */
  join: 'sum' | 'max';
  /** What reports it. Where both do, the logs count, if the server has any. */
  sources: readonly MetricSource[];
  /** What it measures goes on from one run to the next. So no single run has a figure of it, and no period a leaderboard. */
  spansRuns?: true;
  /** For the documentation. */
  description: string;
  /** Emoji that marks the leaderboard. */
  sign: string;
}

/** The leaderboards, in the order in which they are served and shown. The only list of them. */
export const metrics = {
  PLAYER_KILLS: {
    stat: 'playerKills',
    unit: 'count',
    join: 'sum',
    sources: ['logs', 'players.db'],
    description: 'Kills of other players.',
    sign: '⚔️',
  },
  DEATHS: {
    stat: 'deaths',
    unit: 'count',
    join: 'sum',
    sources: ['logs'],
    description: 'Deaths.',
    sign: '💀',
  },
  SUICIDES: {
    stat: 'suicides',
    unit: 'count',
    join: 'sum',
    sources: ['logs'],
    description: 'Deaths that were suicides.',
    sign: '🩸',
  },
  LONGEST_HIT: {
    stat: 'longestHitMeters',
    unit: 'meters',
    join: 'max',
    sources: ['logs', 'players.db'],
    description: 'Longest distance of a hit in metres.',
    sign: '🏹',
  },
  LONGEST_KILL: {
    stat: 'longestKillMeters',
    unit: 'meters',
    join: 'max',
    sources: ['logs'],
    description: 'Longest distance of a kill in metres.',
    sign: '🎯',
  },
  ZOMBIE_KILLS: {
    stat: 'zombieKills',
    unit: 'count',
    join: 'sum',
    sources: ['players.db'],
    description: 'Infected killed.',
    sign: '🧟',
  },
  ANIMAL_KILLS: {
    stat: 'animalKills',
    unit: 'count',
    join: 'sum',
    sources: ['players.db'],
    description: 'Animals killed.',
    sign: '🐗',
  },
  PLAYTIME: {
    stat: 'totalPlaySeconds',
    unit: 'seconds',
    join: 'sum',
    sources: ['logs', 'players.db'],
    description: 'Total play time in seconds.',
    sign: '🕐',
  },
  LONGEST_LIFE: {
    stat: 'longestLifeSeconds',
    unit: 'seconds',
    join: 'max',
    sources: ['logs'],
    spansRuns: true,
    description: 'Longest life in seconds.',
    sign: '🌲',
  },
} as const satisfies Record<string, Metric>;

export type MetricCode = keyof typeof metrics;
export type PlayerStat = (typeof metrics)[MetricCode]['stat'];

export const metricCodes = Object.keys(metrics) as [MetricCode, ...MetricCode[]];

/** The metrics that a source reports. */
export type MetricOf<Source extends MetricSource> = {
  [Code in MetricCode]: Source extends (typeof metrics)[Code]['sources'][number] ? Code : never;
}[MetricCode];
export const isFrom = (code: MetricCode, source: MetricSource): boolean =>
  (metrics[code].sources as readonly MetricSource[]).includes(source);

/** The metrics of which each run of a log has a figure. */
export type RunMetric = {
  [Code in MetricOf<'logs'>]: (typeof metrics)[Code] extends { spansRuns: true } ? never : Code;
}[MetricOf<'logs'>];
export const runMetrics = metricCodes.filter(
  (code): code is RunMetric => isFrom(code, 'logs') && !('spansRuns' in metrics[code]),
);

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
