import { randomInt } from 'node:crypto';

/*
 * How many gestures a member has to make. A player who knows nothing of `/link` must not complete somebody's sequence by
 * chance, since the member could then claim to be that player. Twenty gestures of such a player, out of DayZ's 24, complete one of
 * 30 sequences of six once in 200,000 times, and one of 600 sequences of seven no more often.
 */
const fewGestures = 6;
const manyGestures = 7;
const fewSequences = 30;

/** Draws gestures for `/link`, each at most once. @param waiting how many members are to make theirs now, this one included */
export function drawGestures(pool: readonly string[], waiting: number): string[] {
  const left = [...pool];
  const length = Math.min(pool.length, waiting <= fewSequences ? fewGestures : manyGestures);
  return Array.from({ length }, () => {
    const [drawn] = left.splice(randomInt(left.length), 1);
    return drawn as string;
  });
}
