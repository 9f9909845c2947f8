import type { Stored } from '../../engine/schema/schema.ts';

/** How far a player has come in the gestures of a challenge. */
export type GestureProgress = Pick<Stored<'link_progress'>, 'seen' | 'first_at' | 'last_at'>;

/** From the first gesture to the last. `/link` says "two minutes". */
const longestMs = 120_000;

const none: GestureProgress = { seen: 0, first_at: 0, last_at: 0 };

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
  const { seen, first_at, last_at } = before;
  if (seen === wanted.length || at < last_at) return before;
  // The log has whole seconds, of which several lines may be read again.
  if (at === last_at && wanted.slice(0, seen).includes(gesture)) return before;
  if (seen > 0 && gesture === wanted[seen] && at - first_at <= longestMs)
    return { seen: seen + 1, first_at, last_at: at };
  if (gesture === wanted[0]) return { seen: 1, first_at: at, last_at: at };
  return seen === 0 ? before : { ...none, last_at: at };
}
