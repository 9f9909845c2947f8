import { sql } from 'kysely';
import {
  type MetricCode,
  type MetricSource,
  type SharedMetric,
  sharedMetrics,
} from '../../../../api/metrics.ts';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import type { ServerDefinition } from '../projects/definitions.ts';

/** The source that counts on a server, for each metric that both the admin log and players.db contain. */
export type MetricChoice = Readonly<Partial<Record<MetricCode, MetricSource>>>;

/** `unlogged`: players.db, as long as no log of the server has been read. */
type StoredChoice = Partial<Record<SharedMetric, MetricSource | 'unlogged'>>;

/** The configured sources of a server in stored form; for metrics without an entry the logs count. */
export function chosenMetricSources({ logs, playersDb, metricSources }: ServerDefinition): StoredChoice {
  const isUnlogged = logs === undefined && playersDb !== undefined;
  return { ...(isUnlogged && everyMetric('unlogged')), ...metricSources } as StoredChoice;
}

function everyMetric<T>(source: T): Record<SharedMetric, T> {
  return Object.fromEntries(sharedMetrics.map((code) => [code, source])) as Record<SharedMetric, T>;
}

/** The source that counts on each server of these players' projects: never two for one metric. */
export async function readMetricChoices(
  tx: Database,
  playerIds: readonly number[],
): Promise<ReadonlyMap<string, MetricChoice>> {
  const { rows } = await sql<{ id: string; metric_sources: string; has_logs: number }>`
    SELECT id, metric_sources,
      CASE WHEN EXISTS (SELECT 1 FROM log_run WHERE server_id = server.id) THEN 1 ELSE 0 END AS has_logs
    FROM server WHERE project_id IN (
      SELECT project_id FROM player WHERE id IN ${valuesOf('integer', playerIds)}
    )
  `.execute(tx);
  return new Map(
    rows.map(({ id, metric_sources, has_logs }) => {
      const choice = everyMetric<MetricSource>('logs');
      const stored = Object.entries(JSON.parse(metric_sources) as StoredChoice);
      for (const [metric, source] of stored) {
        const unlogged = has_logs === 1 ? 'logs' : 'players.db';
        choice[metric as SharedMetric] = source === 'unlogged' ? unlogged : source;
      }
      return [id, choice];
    }),
  );
}

/** The players in a server's players.db: their figures change when another source starts to count. */
export async function playersOfCharacters(tx: Database, serverId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('character')
    .select('player_id')
    .where('server_id', '=', serverId)
    .execute();
  return rows.map(({ player_id }) => player_id);
}

/** The players in a server's logs. */
export async function playersOfRuns(tx: Database, serverId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('log_run')
    .innerJoin('log_run_player', 'log_run_player.run_id', 'log_run.id')
    .select('player_id')
    .distinct()
    .where('server_id', '=', serverId)
    .execute();
  return rows.map(({ player_id }) => player_id);
}
