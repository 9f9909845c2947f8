const dayMs = 24 * 3_600_000;

/**
 * Counts the IDENTIFYs of a bot against the number that it may send in 24 hours.
 * @param maxConcurrency is announced: a client leaves five seconds between so many IDENTIFYs
 */
export function createSessionStarts(total: number, maxConcurrency: number, now: () => number) {
  let count = 0;
  let today = { since: now(), count: 0 };
  /** `session_start_limit` of `GET /gateway/bot`. */
  function limit() {
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
    /** Counts one. Returns whether it is one of those of the day. */
    add(): boolean {
      const isAllowed = limit().remaining > 0;
      count += 1;
      today.count += 1;
      return isAllowed;
    },
  };
}
