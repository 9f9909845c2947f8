import { expect, test } from 'vitest';
import { chanceOf, drawGestures, lengthFor } from '../../src/community/gesture-draw.ts';
import { gestures } from '../../src/server/games/dayz/facts/gestures.ts';

const pool = Object.keys(gestures);

/** The chance summed over so many open sequences, drawn one after the other. */
function chanceWith(waiting: number): number {
  let sum = 0;
  for (let nth = 1; nth <= waiting; nth += 1) sum += chanceOf(lengthFor(nth, pool.length), pool.length);
  return sum;
}

test('a sequence is made by chance less than once in 100,000 times, however many members wait', () => {
  const chances = [1, 20, 60, 200, 600].map(chanceWith);
  expect(chances.every((chance) => chance < 1 / 100_000)).toBe(true);
  // The longest are for times when many wait.
  expect([1, 32, 60, 600].map((waiting) => lengthFor(waiting, pool.length))).toEqual([6, 6, 7, 7]);
});

test('draws gestures of the game that differ from each other', () => {
  for (const waiting of [1, 60]) {
    const drawn = drawGestures(pool, waiting);
    expect(drawn).toHaveLength(lengthFor(waiting, pool.length));
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(pool).toEqual(expect.arrayContaining(drawn));
  }
});
