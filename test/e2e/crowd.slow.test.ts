import { expect, it } from 'vitest';
import { crowd } from './crowd.ts';

it.concurrent.each([
  ['in the same process', false],
  ['with the limit of a service elsewhere', true],
])(
  'answers members, keeps the post up to date and tells of a server that is down while four ask without end, %s',
  async (_, elsewhere) => {
    const report = await crowd({ seconds: 20, greedy: 4, perSecond: 2.5, others: 15, elsewhere });
    expect(report.othersLost).toEqual([]);
    expect(report.greedyLost).toEqual([]);
    expect(report.othersAnsweredAfterMs).toHaveLength(30);
    expect([report.othersStale, report.othersRefused]).toEqual([0, 0]);
    expect(report.postAfterMs).not.toBeNull();
    expect(report.alertAfterMs).not.toBeNull();
  },
);

it.concurrent('tells one member who asks five times a second so, and answers the others', async () => {
  const report = await crowd({ seconds: 15, greedy: 1, perSecond: 5, others: 25, elsewhere: false });
  expect([report.othersLost, report.greedyLost]).toEqual([[], []]);
  expect([report.othersStale, report.othersRefused]).toEqual([0, 0]);
  expect(report.greedyRefused).toBeGreaterThan(0);
  // A member may ask twenty times at once.
  expect(report.greedyRefused).toBeLessThanOrEqual(report.greedyAsked - 20);
});
