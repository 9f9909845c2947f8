import type { Death } from '../../../embeds/kill-feed.ts';
import type { Clock } from '../../../process/clock.ts';

/**
 * For how long deaths have been stored. The wall clock can be set at any time, so it only decides between the bounds
 * that the monotonic clock gives: a death was stored between the polls before and after it.
 */
export interface DeathAges {
  /** To be called at each poll. @param latest the id of the last stored death; left out: as before */
  poll(latest?: number): void;
  /** Milliseconds, never negative. */
  of(death: Pick<Death, 'id' | 'storedAt'>): number;
  /** Ages of deaths up to this id are no longer needed. */
  forget(through: number): void;
}

export function createDeathAges({ now, monotonic }: Clock): DeathAges {
  let polls: { latest: number; at: number; previousAt: number }[] = [];
  let known = -Infinity;
  let polledAt = -Infinity;
  return {
    poll(latest = known) {
      const at = monotonic();
      if (latest > known) polls.push({ latest, at, previousAt: polledAt });
      known = latest;
      polledAt = at;
    },
    of({ id, storedAt }) {
      const poll = polls.find(({ latest }) => id <= latest);
      const age = now() - storedAt;
      if (poll === undefined) return Math.max(0, age);
      return Math.min(Math.max(age, monotonic() - poll.at), monotonic() - poll.previousAt);
    },
    forget(through) {
      polls = polls.filter(({ latest }) => latest > through);
    },
  };
}
