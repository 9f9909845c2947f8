import { expect, test } from 'vitest';
import { Lanes } from '../../../src/server/ingest/lanes.ts';

const patienceMs = 10;

/** A work that ends when it is told to. */
function slow<T>(): { work: () => Promise<T[]>; begun: () => number; end: (news: T[]) => void } {
  let end: (news: T[]) => void = () => undefined;
  const promise = new Promise<T[]>((resolve) => (end = resolve));
  let begun = 0;
  const work = (): Promise<T[]> => {
    begun += 1;
    return promise;
  };
  return { work, begun: () => begun, end };
}

test('a work that takes long holds nobody up, is not begun twice, and its news come later', async () => {
  const lanes = new Lanes<string>(patienceMs);
  const { work, begun, end } = slow<string>();
  await lanes.run('a', work);
  await lanes.run('a', work);
  await lanes.run('b', async () => ['b']);
  expect(begun()).toBe(1);
  expect(lanes.take()).toEqual(['b']);
  end(['a']);
  await lanes.settled();
  expect(lanes.take()).toEqual(['a']);
  await lanes.run('a', async () => ['again']);
  expect(lanes.take()).toEqual(['again']);
});

test('no more than two go on by themselves: the next waits', async () => {
  const lanes = new Lanes<string>(patienceMs);
  const [a, b, c] = [slow<string>(), slow<string>(), slow<string>()];
  await lanes.run('a', a.work);
  await lanes.run('b', b.work);
  const third = lanes.run('c', c.work);
  await new Promise((resolve) => setTimeout(resolve, 3 * patienceMs));
  expect(c.begun()).toBe(0);
  a.end([]);
  await third;
  expect(c.begun()).toBe(1);
  for (const { end } of [b, c]) end([]);
});

test('what a work throws is thrown to whoever takes the news, once, and the news are kept', async () => {
  const lanes = new Lanes<string>(Infinity);
  await lanes.run('a', () => Promise.reject(new Error('no')));
  await lanes.run('b', async () => ['b']);
  expect(() => lanes.take()).toThrow('no');
  expect(lanes.take()).toEqual(['b']);
});
