/** How far a player has come in the gestures of a challenge. */
export interface GestureProgress {
  /** How many of them the player has made in order. */
  seen: number;
  /** How many other gestures the player has made since the first. */
  others: number;
  /** When the player made the latest gesture that was looked at; epoch milliseconds. */
  lastAt: number;
}

/**
 * So many other gestures may stand between: mistakes do not matter, but who makes all that there are meets no challenge.
 */
const mostOthers = 5;

const none: GestureProgress = { seen: 0, others: 0, lastAt: 0 };

/**
 * Where a player stands after another gesture. The gestures of a challenge differ from each other, so reading the same lines
 * again changes nothing: what counted is not the next one, and what did not count is not later than the latest.
 * @param wanted the gestures of the challenge, in order
 */
export function afterGesture(
  before: GestureProgress = none,
  wanted: readonly string[],
  { gesture, at }: { gesture: string; at: number },
): GestureProgress {
  const { seen, others, lastAt } = before;
  if (seen === wanted.length || at < lastAt) return before;
  if (gesture === wanted[seen]) return { seen: seen + 1, others, lastAt: at };
  if (seen === 0 || at === lastAt) return before;
  const isAgain = gesture === wanted[0];
  if (others === mostOthers || (isAgain && seen === 1))
    return { seen: isAgain ? 1 : 0, others: 0, lastAt: at };
  return { seen, others: others + 1, lastAt: at };
}
