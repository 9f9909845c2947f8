import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';
import { mostMembers, type MemberRate } from '../limits.ts';

/**
 * Limits the rate of each member, so that no member can block the others. GCRA: one number per member, the moment at which
 * the burst is full again. The result takes one request. 0: allowed. Otherwise it is refused and not counted, and the next one is
 * allowed in that many milliseconds.
 */
export function limitMembers(
  { burst, everyMs }: MemberRate,
  monotonic: Clock['monotonic'],
): (userId: string) => number {
  const fullAt = new LRUCache<string, number>({ max: mostMembers });
  return (userId) => {
    const now = monotonic();
    const from = Math.max(fullAt.get(userId) ?? now, now);
    const wait = from - now - (burst - 1) * everyMs;
    if (wait > 0) return wait;
    fullAt.set(userId, from + everyMs);
    return 0;
  };
}
