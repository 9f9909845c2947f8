import { randomInt } from 'node:crypto';

/*
 * How many gestures a member has to make. A player who knows nothing of `/link` must not complete somebody's sequence by
 * chance, since the member could then claim to be that player. Each sequence is drawn from all there are, with equal
 * chances, so no choice of gestures, popular ones or all in turn, meets it more often than another.
 */

/** Twenty gestures of such a player complete one of the open sequences at most once in 200,000 times. */
const gesturesOfChance = 20;
const mostChance = 1 / 200_000;

const fewestGestures = 6;

/** The highest chance that `gesturesOfChance` gestures contain a sequence of this length, whichever they are. */
export function chanceOf(length: number, poolSize: number): number {
  let sequences = 1;
  for (let drawn = 0; drawn < length; drawn += 1) sequences *= poolSize - drawn;
  return (gesturesOfChance - length + 1) / sequences;
}

/** The length of the next sequence. @param waiting how many sequences are open, this one included */
export function lengthFor(waiting: number, poolSize: number): number {
  let length = Math.min(fewestGestures, poolSize);
  while (length < poolSize && waiting * chanceOf(length, poolSize) > mostChance) length += 1;
  return length;
}

/** Draws gestures that differ from each other. */
export function drawGestures(pool: readonly string[], waiting: number): string[] {
  const left = [...pool];
  return Array.from({ length: lengthFor(waiting, pool.length) }, () => {
    const [drawn] = left.splice(randomInt(left.length), 1);
    return drawn as string;
  });
}
