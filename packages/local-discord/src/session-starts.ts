const dayMs = 24 * 3_600_000;
/** `session_start_limit` of `GET /gateway/bot`. */
export interface SessionStartLimit {
  total: number;
  remaining: number;
  reset_after: number;
  max_concurrency: number;
}

/** Counts the IDENTIFYs of a bot against the number that it may send in 24 hours. */
export interface SessionStarts {
  readonly count: number;
  limit(): SessionStartLimit;
  /** Counts one. Returns whether it is one of those of the day. */
  add(): boolean;
}

/** @param maxConcurrency is announced: a client leaves five seconds between so many IDENTIFYs */
export function createSessionStarts(total: number, maxConcurrency: number, now: () => number): SessionStarts {
  let count = 0;
  let today = { since: now(), count: 0 };
  function limit(): SessionStartLimit {
    if (now() - today.since >= dayMs) today = { since: now(), count: 0 };
    return {
      total,
      remaining: Math.max(0, total - today.count),
      reset_after: today.since + dayMs - now(),
      max_concurrency: maxConcurrency,
    };
  }
  return {
    get count() {
      return count;
    },
    limit,
    add() {
      const isAllowed = limit().remaining > 0;
      count += 1;
      today.count += 1;
      return isAllowed;
    },
  };
}
