import { createBoundedCache } from '../process/bounded-cache.ts';
import type { Clock } from '../process/clock.ts';

/** The rate of one member: `burst` requests at once, and one more every `everyMs`. */
export interface AllowanceRate {
  burst: number;
  everyMs: number;
}

/** The least recently active members are dropped, which restores their full burst. */
const mostRemembered = 10_000;

export type MemberAllowance = ReturnType<typeof createMemberAllowance>;

/**
 * Limits the rate of each member, so that no member can block the others. GCRA: one number per member, the moment at which
 * the burst is full again.
 */
export function createMemberAllowance({ burst, everyMs }: AllowanceRate, monotonic: Clock['monotonic']) {
  const fullAt = createBoundedCache<number>(mostRemembered);
  return {
    /** Takes one request. 0: allowed. Otherwise it is refused and not counted, and the next one is allowed in that many milliseconds. */
    take(userId: string): number {
      const now = monotonic();
      const from = Math.max(fullAt.get(userId) ?? now, now);
      const wait = from - now - (burst - 1) * everyMs;
      if (wait > 0) return wait;
      fullAt.set(userId, from + everyMs);
      return 0;
    },
  };
}
