import {
  type MetricCode,
  type MetricSource,
  type SharedMetric,
  sharedMetrics,
} from '../../../../api/metrics.ts';
import type { ServerConfig } from '../../../../config/schema.ts';

/** The source that counts on a server, for each metric that both the admin log and players.db contain. */
export type MetricChoice = Readonly<Partial<Record<MetricCode, MetricSource>>>;

/** `unlogged`: players.db, as long as no log of the server has been read. */
type StoredChoice = Partial<Record<SharedMetric, MetricSource | 'unlogged'>>;

/** The sources of a server's metrics by its config, as they are stored. Metrics without an entry come from the logs. */
export function chosenMetricSources({ logs, playersDb, metricSources }: ServerConfig): StoredChoice {
  const isUnlogged = logs === undefined && playersDb !== undefined;
  return { ...(isUnlogged && everyMetric('unlogged')), ...metricSources } as StoredChoice;
}

function everyMetric<T>(source: T): Record<SharedMetric, T> {
  return Object.fromEntries(sharedMetrics.map((code) => [code, source])) as Record<SharedMetric, T>;
}

/** Returns what reads `server.metric_sources`; it parses each value once. A metric has one source, so nothing counts twice. */
export function metricChoices(): (stored: string, isLogged: boolean) => MetricChoice {
  const known = new Map<string, MetricChoice>();
  return (stored, isLogged) => {
    const key = `${isLogged} ${stored}`;
    let choice = known.get(key);
    if (choice === undefined) known.set(key, (choice = choiceOf(stored, isLogged)));
    return choice;
  };
}

function choiceOf(stored: string, isLogged: boolean): MetricChoice {
  const choice = everyMetric<MetricSource>('logs');
  for (const [metric, source] of Object.entries(JSON.parse(stored) as StoredChoice)) {
    const unlogged = isLogged ? 'logs' : 'players.db';
    choice[metric as SharedMetric] = source === 'unlogged' ? unlogged : source;
  }
  return choice;
}
