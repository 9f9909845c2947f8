import { expect, it } from 'vitest';
import { createMemberQueue, limitMembers } from '../../../src/bot/answers/member-queue.ts';
import { defaultTiming } from '../../../src/bot/limits.ts';
import type { Reply } from '../../../src/commands/command.ts';
import { languageOf } from '../../../src/locales/language.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { createTestClock } from '../../harness/clock.ts';

const answer: Reply = { embeds: [{ title: 'answered' }] };

function askIn(answerWithinMs: number) {
  const limits = { ...defaultTiming, answersAtOnce: 1, answersWaiting: 1, answerWithinMs };
  const queued = createMemberQueue({ ...systemClock, ...limits });
  const request = { mode: 'public' as const, language: languageOf('en-US'), command: '' };
  return async (userId: string, work: () => Promise<Reply>) =>
    await queued({ ...request, work }, userId).work();
}

it('gives the turn of an answer that never ends to others after a while', async () => {
  const ask = askIn(5);
  void ask('anna', () => new Promise(() => {}));
  expect(await ask('bert', async () => answer)).toBe(answer);
});

it('gives the turn of an answer that fails to others, again and again', async () => {
  const ask = askIn(60_000);
  for (let i = 0; i < 3; i += 1)
    await expect(ask('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask('anna', async () => answer)).toBe(answer);
});

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
