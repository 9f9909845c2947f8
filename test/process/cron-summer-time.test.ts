import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lastMoment, onCron } from '../../src/process/cron.ts';

const zone = vi.hoisted(() => {
  const before = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
  return before;
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When an expression runs within the three hours after a moment, in UTC. */
function runsAfter(from: string, expression: string): string[] {
  vi.setSystemTime(new Date(from));
  const runs: string[] = [];
  const stop = onCron(expression, () => void runs.push(new Date().toISOString().slice(11, 16)));
  vi.advanceTimersByTime(3 * 3_600_000);
  stop();
  return runs;
}

it('runs an hour later what clocks skip, and nothing twice', () => {
  expect(runsAfter('2026-03-29T00:29:50Z', '30 2 * * *')).toEqual(['01:30']);
  expect(runsAfter('2026-03-29T00:29:50Z', '0 2,3 * * *')).toEqual(['01:00']);
  expect(runsAfter('2026-03-29T00:29:50Z', '0 * * * *')).toEqual(['01:00', '02:00', '03:00']);
  expect(runsAfter('2026-03-28T00:29:50Z', '30 2 * * *')).toEqual(['01:30']);
});

it('finds what clocks skip as the last moment', () => {
  const now = Date.parse('2026-03-29T10:00:00Z');
  expect(new Date(lastMoment('30 2 * * 0', now, 7)!).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  expect(new Date(lastMoment('30 2 29 3 *', now, 7)!).toISOString()).toBe('2026-03-29T01:30:00.000Z');
});
