import { expect, it } from 'vitest';
import { MemberQueue } from '../../../src/bot/answers/member-queue.ts';
import type { Reply } from '../../../src/commands/command.ts';
import { languageOf } from '../../../src/locales/language.ts';
import { systemClock } from '../../../src/process/clock.ts';

const answer: Reply = { embeds: [{ title: 'answered' }] };

function askIn(longestMs: number) {
  const queue = new MemberQueue({ ...systemClock, queueBounds: { atOnce: 1, waiting: 1 }, longestMs });
  const request = { mode: 'public' as const, language: languageOf('en-US'), command: '' };
  return async (userId: string, work: () => Promise<Reply>) =>
    await queue.queued({ ...request, work }, userId).work();
}

it('gives the place of an answer that never ends to others after a while', async () => {
  const ask = askIn(5);
  void ask('anna', () => new Promise(() => {}));
  expect(await ask('bert', async () => answer)).toBe(answer);
});

it('gives the place of an answer that fails to others, again and again', async () => {
  const ask = askIn(60_000);
  for (let i = 0; i < 3; i += 1)
    await expect(ask('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask('anna', async () => answer)).toBe(answer);
});
