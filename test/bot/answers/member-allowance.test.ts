import { expect, it } from 'vitest';
import { limitMembers } from '../../../src/bot/answers/member-allowance.ts';
import { createTestClock } from '../../harness/clock.ts';

it('allows a member a burst and then one each second, and says when the next is free', () => {
  const clock = createTestClock();
  const takeFor = limitMembers({ burst: 3, everyMs: 1_000 }, clock.monotonic);
  const take = () => takeFor('anna');
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1_000]);
  clock.advance(400);
  expect(take()).toBe(600);
  expect(takeFor('bert')).toBe(0);
  clock.advance(600);
  expect([take(), take()]).toEqual([0, 1_000]);
  clock.advance(60_000);
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1_000]);
});
