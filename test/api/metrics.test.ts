import { expect, it } from 'vitest';
import { formatMetricValue } from '../../src/api/metrics.ts';

it.each([
  ['count', 0, '0'],
  ['count', 1234, '1,234'],
  ['meters', 812.43, '812.4 m'],
  ['meters', 1000, '1,000.0 m'],
  ['seconds', 0, '0s'],
  ['seconds', 59.9, '59s'],
  ['seconds', 60, '1m'],
  ['seconds', 3_600, '1h 0m'],
  ['seconds', 3 * 86_400 + 4 * 3_600 + 12 * 60 + 59, '3d 4h 12m'],
] as const)('shows %s %d as %s', (unit, value, text) => {
  expect(formatMetricValue(unit, value)).toBe(text);
});
