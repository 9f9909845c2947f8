import { expect, test } from 'vitest';
import {
  afterGesture,
  type GestureProgress,
} from '../../../../../src/server/store/repositories/links/gesture-progress.ts';

const wanted = ['a', 'b', 'c'];

/** How many of the wanted gestures are seen after these, each a second after the one before. */
function seenAfter(made: readonly string[]): number {
  let progress: GestureProgress | undefined;
  for (const [at, gesture] of made.entries()) progress = afterGesture(progress, wanted, { gesture, at });
  return progress?.seen ?? 0;
}

test('a player proves something only by the gestures in a row, whatever comes before and after', () => {
  const letters = ['a', 'b', 'c', 'd'];
  let texts = [''];
  for (let length = 0; length < 7; length += 1)
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
  expect(texts).toHaveLength(4 ** 7);
  const differing = texts.filter((text) => (seenAfter([...text]) === 3) !== text.includes('abc'));
  expect(differing).toEqual([]);
});

test('the gestures take two minutes at most', () => {
  const lastAfter = (ms: number) =>
    [0, 1_000, ms].reduce<GestureProgress | undefined>(
      (progress, at, index) => afterGesture(progress, wanted, { gesture: wanted[index] as string, at }),
      undefined,
    )?.seen;
  expect([lastAfter(120_000), lastAfter(121_000)]).toEqual([3, 0]);
});

test('lines that are read again change nothing, even two of one second', () => {
  const lines = [
    { gesture: 'a', at: 1_000 },
    { gesture: 'b', at: 2_000 },
    { gesture: 'c', at: 2_000 },
  ];
  for (const from of [0, 1, 2])
    for (const to of [1, 2, 3]) {
      let progress: GestureProgress | undefined;
      const read = [...lines.slice(0, to), ...lines.slice(Math.min(from, to))];
      for (const line of read) progress = afterGesture(progress, [...wanted, 'd'], line);
      expect([from, to, progress?.seen]).toEqual([from, to, 3]);
    }
});
