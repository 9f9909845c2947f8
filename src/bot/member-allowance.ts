import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';

/** How much one member may ask for: `burst` at once, and one more every `everyMs`. */
export interface AllowanceRate {
  burst: number;
  everyMs: number;
}

/** Bounds what each member asks for, so that nobody can take the bot from the others. */
export interface MemberAllowance {
  /** Counts one. 0: it may go ahead; otherwise it does not count, and the next may in so many milliseconds. */
  take(userId: string): number;
}

/** Members who asked least recently are forgotten, which gives them their burst back. */
const mostRemembered = 10_000;

/** GCRA: one number a member, the moment at which everything taken so far is paid off. */
export function createMemberAllowance(
  { burst, everyMs }: AllowanceRate,
  monotonic: Clock['monotonic'],
): MemberAllowance {
  const paidOffAt = new LRUCache<string, number>({ max: mostRemembered });
  return {
    take(userId) {
      const now = monotonic();
      const from = Math.max(paidOffAt.get(userId) ?? now, now);
      const wait = from - now - (burst - 1) * everyMs;
      if (wait > 0) return wait;
      paidOffAt.set(userId, from + everyMs);
      return 0;
    },
  };
}
