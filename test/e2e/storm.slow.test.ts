import { expect, it } from 'vitest';
import { storm } from './storm.ts';

// A third of what `npm run storm` sends, as fast as that.
it('answers every member of five guilds who ask at once', async () => {
  const report = await storm(170, 3.4);
  expect(report.lost).toEqual([]);
  expect(report.acknowledgedAfterMs).toHaveLength(170);
  expect(report.limitErrors).toEqual([]);
  expect(report.requests).toBeGreaterThan(0);
  expect(report.refused).toBe(0);
});
