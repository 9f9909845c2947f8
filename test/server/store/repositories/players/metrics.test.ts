import { expect, test } from 'vitest';
import { metricCodes, metrics, type MetricSource } from '../../../../../src/api/metrics.ts';
import { runMetrics } from '../../../../../src/server/store/engine/schema/run-figures.ts';

test('every metric that admin logs report is counted', () => {
  const reported = metricCodes.filter((code) =>
    (metrics[code].sources as readonly MetricSource[]).includes('logs'),
  );
  // The longest life follows from several figures of several runs.
  const counted = [...runMetrics.map(([code]) => code), 'LONGEST_LIFE'];
  expect(counted.toSorted()).toEqual(reported.toSorted());
});
