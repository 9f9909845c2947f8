import { beforeEach, expect, it } from 'vitest';
import { AnswerCache } from '../../../../src/server/http/answers/answer-cache.ts';
import { Representation } from '../../../../src/server/http/answers/representation.ts';
import { createTestClock, type TestClock } from '../../../harness/clock.ts';

let clock: TestClock;
let cache: AnswerCache;
let made: number;
beforeEach(() => {
  clock = createTestClock();
  cache = new AnswerCache(1_000_000, clock.monotonic);
  made = 0;
});

/** Makes an answer that says how many have been made, or always the same. */
const making = (body?: string) => async (): Promise<Representation> => {
  made += 1;
  return new Representation(Buffer.from(body ?? String(made)), 'text/plain', []);
};
const ask = async (key = 'key') => await cache.get(key, making());

it('gives an answer for a second, by a clock that nobody sets', async () => {
  const first = await ask();
  clock.advance(1_000);
  clock.step(-60_000);
  expect([await ask(), made]).toEqual([first, 1]);
  clock.advance(1);
  expect([(await ask()) === first, made]).toEqual([false, 2]);
});

it('makes an answer once for all who ask meanwhile, and another for each key', async () => {
  const asked = [ask(), ask(), ask('other')];
  expect(new Set(await Promise.all(asked)).size).toBe(2);
  expect(made).toBe(2);
});

it('keeps no failure', async () => {
  const fail = () => cache.get('key', () => Promise.reject(new Error('away')));
  const failed = await Promise.allSettled([fail(), fail()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await ask();
  expect(made).toBe(1);
});

it('keeps the answer that has its compressed forms while its body is the same', async () => {
  const same = await cache.get('key', making('same'));
  clock.advance(1_001);
  expect([await cache.get('key', making('same')), made]).toEqual([same, 2]);
  clock.advance(1_001);
  expect(await cache.get('key', making('other'))).not.toBe(same);
});

it('answers everybody when there is no place to keep their answers', async () => {
  const all = Array.from({ length: 1_000 }, (_, i) => ask(String(i)));
  expect(new Set(await Promise.all(all)).size).toBe(1_000);
  expect(cache.size).toBeLessThan(500);
});
