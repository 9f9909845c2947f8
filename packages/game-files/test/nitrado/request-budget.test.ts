import { expect, test } from 'vitest';
import { RequestBudget } from '../../src/nitrado/request-budget.ts';
import { createTestClock } from '../clock.ts';

const headers = (limit: number, remaining: number, reset: number | string): Headers =>
  new Headers({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  });

function budgetOf(sources: number) {
  const clock = createTestClock();
  const budget = new RequestBudget(clock);
  for (let source = 0; source < sources; source += 1) budget.add(`source ${source}`);
  return { clock, budget };
}

test('polls once a minute at most, whatever is allowed', () => {
  const { budget } = budgetOf(1);
  expect(budget.pollEveryMs).toBe(60_000);
  budget.note(200, headers(1_000_000, 999_999, 3_600));
  expect(budget.pollEveryMs).toBe(60_000);
});

test('spreads half of what an hour allows over all sources of the token', () => {
  const { budget } = budgetOf(50);
  budget.note(200, headers(1_000, 999, 3_600));
  // 50 sources with two requests each, 500 requests an hour.
  expect(budget.pollEveryMs).toBe(12 * 60_000);
});

test('polls less often when others have spent most of the hour, and as usual in the next', () => {
  const { budget, clock } = budgetOf(2);
  budget.note(200, headers(1_000, 110, 1_800));
  expect(budget.pollEveryMs).toBe(12 * 60_000);
  clock.advance(1_800_000);
  expect(budget.pollEveryMs).toBe(60_000);
});

test('leaves a tenth of the requests to other programs', () => {
  const { budget } = budgetOf(1);
  budget.note(200, headers(1_000, 102, 3_600));
  budget.take();
  budget.take();
  expect(() => budget.take()).toThrow('limit of requests of 1000 an hour is spent');
});

test('understands a reset that is given as a moment', () => {
  const { budget, clock } = budgetOf(1);
  budget.note(200, headers(1_000, 0, Math.floor(clock.now() / 1000) + 600));
  expect(() => budget.take()).toThrow('goes on by itself at 12:10 UTC');
  clock.advance(600_000);
  expect(() => budget.take()).not.toThrow();
});

test('believes no header that is nonsense', () => {
  const { budget } = budgetOf(1);
  budget.note(200, new Headers({ 'x-ratelimit-limit': '-5', 'x-ratelimit-remaining': 'none' }));
  expect(budget.pollEveryMs).toBe(60_000);
  expect(() => budget.take()).not.toThrow();
  budget.note(429, new Headers({ 'retry-after': '99999999' }));
  expect(budget.pollEveryMs).toBe(3_600_000);
});

test('forgets sources that are not read any more', () => {
  const { budget } = budgetOf(50);
  budget.note(200, headers(1_000, 999, 3_600));
  for (let source = 0; source < 49; source += 1) budget.remove(`source ${source}`);
  expect(budget.pollEveryMs).toBe(60_000);
});
