import { expect, test } from 'vitest';
import { metricCodes, metrics, type MetricSource } from '../../../../../src/api/metrics.ts';
import { metricColumns } from '../../../../../src/server/store/engine/schema/metric-columns.ts';
import { runColumns, runMetrics } from '../../../../../src/server/store/engine/schema/run-figures.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

test('every metric that admin logs report is counted', () => {
  const reported = metricCodes.filter((code) =>
    (metrics[code].sources as readonly MetricSource[]).includes('logs'),
  );
  // The longest life follows from several figures of several runs.
  const counted = [...runMetrics.map(([code]) => code), 'LONGEST_LIFE'];
  expect(counted.toSorted()).toEqual(reported.toSorted());
});

test('a store has a column for every metric and for every figure of a run', async () => {
  const db = await temporaryStore();
  const tables = await db.introspection.getTables();
  const columnsOf = (wanted: string): string[] | undefined =>
    tables
      .find(({ name }) => name === wanted)
      ?.columns.map(({ name }) => name)
      .toSorted();
  const ofMetrics = Object.values(metricColumns);
  expect(columnsOf('player_stats')).toEqual(['player_id', 'project_id', ...ofMetrics].toSorted());
  expect(columnsOf('imported_stats')).toEqual(['entry', 'player_id', 'project_id', ...ofMetrics].toSorted());
  expect(columnsOf('log_run_player')).toEqual(['player_id', 'run_id', ...runColumns].toSorted());
});
