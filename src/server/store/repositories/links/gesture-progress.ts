/** How far a player has come in the gestures of a challenge. */
export interface GestureProgress {
  /** How many of them the player has made in order, with no other gesture between. */
  seen: number;
  /** When the player made the first of them; epoch milliseconds by the log's time. */
  firstAt: number;
  /** When the player made the latest gesture that changed this. */
  lastAt: number;
}

/** From the first gesture to the last. `/link` says "two minutes". */
const longestMs = 120_000;

const none: GestureProgress = { seen: 0, firstAt: 0, lastAt: 0 };

/**
 * How far a player has come after another gesture: any but the next one starts over. The gestures of a challenge differ from each
 * other, so a gesture that starts over can only be the first again, and lines that are read twice are recognized.
 * @param wanted the gestures of the challenge, in order
 */
export function afterGesture(
  before: GestureProgress = none,
  wanted: readonly string[],
  { gesture, at }: { gesture: string; at: number },
): GestureProgress {
  const { seen, firstAt, lastAt } = before;
  if (seen === wanted.length || at < lastAt) return before;
  // The log has whole seconds, of which several lines may be read again.
  if (at === lastAt && wanted.slice(0, seen).includes(gesture)) return before;
  if (seen > 0 && gesture === wanted[seen] && at - firstAt <= longestMs)
    return { seen: seen + 1, firstAt, lastAt: at };
  if (gesture === wanted[0]) return { seen: 1, firstAt: at, lastAt: at };
  return seen === 0 ? before : { ...none, lastAt: at };
}
