import { expect, it } from 'vitest';
import { storm } from './storm.ts';

it('answers forty members of five guilds who ask at once', async () => {
  const report = await storm(40, 1);
  expect(report.lost).toEqual([]);
  expect(report.acknowledgedAfterMs).toHaveLength(40);
  expect(report.limitErrors).toEqual([]);
  expect(report.refused).toBe(0);
});
