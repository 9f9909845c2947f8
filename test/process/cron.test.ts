import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lastMoment, onCron } from '../../src/process/cron.ts';

const minute = 60_000;
let stop: () => void;
let runs: string[];
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 2, 1, 12, 0, 30) }));
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function start(expression: string): void {
  runs = [];
  stop = onCron(expression, () => void runs.push(new Date().toTimeString().slice(0, 8)));
}

it('runs at each moment of the expression', async () => {
  start('*/2 * * * *');
  await vi.advanceTimersByTimeAsync(5 * minute);
  expect(runs).toEqual(['12:02:00', '12:04:00']);
});

it('runs no more once it is stopped', async () => {
  start('* * * * * *');
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  await vi.advanceTimersByTimeAsync(minute);
  expect(runs).toHaveLength(2);
});

it('goes on for one of two with the same expression when the other one stops', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:30Z') });
  try {
    const calls: string[] = [];
    const [stopOne, stopOther] = ['one', 'other'].map((name) =>
      onCron('* * * * *', () => void calls.push(name)),
    ) as [() => void, () => void];
    await vi.advanceTimersByTimeAsync(60_000);
    stopOne();
    stopOne();
    await vi.advanceTimersByTimeAsync(60_000);
    stopOther();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual(['one', 'other', 'other']);
  } finally {
    vi.useRealTimers();
  }
});

it('finds the last moment of an expression', () => {
  stop = () => undefined;
  // Sunday, 1 March 2026.
  const now = new Date(2026, 2, 1, 12, 0, 30).getTime();
  const last = (expression: string, days = 7): string | null => {
    const at = lastMoment(expression, now, days);
    return at === null ? null : new Date(at).toString().slice(0, 24);
  };
  expect(last('0 10 * * 1')).toBe('Mon Feb 23 2026 10:00:00');
  expect(last('0 12 * * 0')).toBe('Sun Mar 01 2026 12:00:00');
  expect(last('1 12 * * 0')).toBe('Sun Feb 22 2026 12:01:00');
  expect(last('*/5 * * * * *')).toBe('Sun Mar 01 2026 12:00:30');
  expect(last('* * * * * 6')).toBe('Sat Feb 28 2026 23:59:59');
  expect(last('30 4 1 * *')).toBe('Sun Mar 01 2026 04:30:00');
  expect(last('0 10 20 * *')).toBeNull();
});
