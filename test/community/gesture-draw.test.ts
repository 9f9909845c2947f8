import { expect, test } from 'vitest';
import { drawGestures } from '../../src/community/gesture-draw.ts';
import { gestures } from '../../src/server/games/dayz/facts/gestures.ts';

const pool = Object.keys(gestures);

/** The highest chance that twenty gestures contain one of so many open sequences. */
function chanceWith(waiting: number): number {
  const { length } = drawGestures(pool, waiting);
  const sequences = Array.from({ length }, (_, drawn) => pool.length - drawn).reduce(
    (one, other) => one * other,
  );
  return (waiting * (20 - length + 1)) / sequences;
}

test('a sequence is made by chance once in 200,000 times at most, however many members wait', () => {
  for (const waiting of [1, 30, 31, 200, 600]) expect(chanceWith(waiting)).toBeLessThan(1 / 200_000);
  expect([1, 60].map((waiting) => drawGestures(pool, waiting).length)).toEqual([6, 7]);
});

test('draws gestures of the game that differ from each other', () => {
  for (const waiting of [1, 60]) {
    const drawn = drawGestures(pool, waiting);
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(pool).toEqual(expect.arrayContaining(drawn));
  }
});
