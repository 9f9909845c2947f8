import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lastMoment, onCron } from '../../src/process/cron.ts';

const minute = 60_000;
const hour = 60 * minute;
let stop: () => void;
let runs: string[];
// Timers go by the monotonic clock: they run on when the time of day is set.
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 2, 1, 12, 0, 30) }));
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function start(expression: string): void {
  runs = [];
  stop = onCron(expression, () => void runs.push(new Date().toTimeString().slice(0, 8)));
}

function setClock(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

it('runs at each moment of the expression', () => {
  start('*/2 * * * *');
  vi.advanceTimersByTime(5 * minute);
  expect(runs).toEqual(['12:02:00', '12:04:00']);
});

it('runs no more once it is stopped', () => {
  start('* * * * * *');
  vi.advanceTimersByTime(2_000);
  stop();
  vi.advanceTimersByTime(minute);
  expect(runs).toHaveLength(2);
});

it('makes up once for moments that a busy process has passed over', () => {
  start('*/2 * * * *');
  setClock(5 * minute);
  vi.advanceTimersByTime(1_000);
  expect(runs).toHaveLength(1);
  setClock(20_000);
  vi.advanceTimersByTime(1_000);
  expect(runs).toHaveLength(1);
});

describe.each([-24, -1, 1, 24])('a clock that is set by %i h', (hours) => {
  it('delays no run by more than its period', () => {
    start('*/2 * * * *');
    vi.advanceTimersByTime(3 * minute);
    setClock(hours * hour);
    runs = [];
    for (let run = 1; run <= 5; run += 1) {
      vi.advanceTimersByTime(2 * minute);
      expect(runs.length).toBeGreaterThanOrEqual(run);
      expect(runs.length).toBeLessThanOrEqual(run + 1);
    }
  });

  it('runs a daily expression within a day', () => {
    start('0 13 * * *');
    vi.advanceTimersByTime(10 * minute);
    setClock(hours * hour);
    vi.advanceTimersByTime(24 * hour);
    expect(runs.length).toBeGreaterThanOrEqual(1);
    expect(runs.length).toBeLessThanOrEqual(2);
  });
});

it('does not run twice where the clock is slowed or set back by seconds', () => {
  start('*/2 * * * *');
  vi.advanceTimersByTime(91_000);
  expect(runs).toEqual(['12:02:00']);
  setClock(-3_000);
  vi.advanceTimersByTime(30_000);
  expect(runs).toEqual(['12:02:00']);
});

it('goes on for one of two with the same expression when the other one stops, even twice', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:30Z') });
  try {
    const calls: string[] = [];
    const [stopOne, stopOther] = ['one', 'other'].map((name) =>
      onCron('* * * * *', () => void calls.push(name), Date.now),
    ) as [() => void, () => void];
    vi.advanceTimersByTime(60_000);
    stopOne();
    stopOne();
    vi.advanceTimersByTime(60_000);
    stopOther();
    vi.advanceTimersByTime(60_000);
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
