const dayMs = 24 * 3_600_000;
/** `session_start_limit` of `GET /gateway/bot`. */
export interface SessionStartLimit {
  total: number;
  remaining: number;
  reset_after: number;
  max_concurrency: number;
}

/** Counts the IDENTIFYs of a bot against the number that it may send in 24 hours, and in 5 seconds. */
export interface SessionStarts {
  readonly count: number;
  limit(): SessionStartLimit;
  /** Counts one. `tooMany`: beyond those of the day; `tooSoon`: another shard of its bucket has just identified. */
  add(shard: number): 'allowed' | 'tooMany' | 'tooSoon';
}

/**
 * @param maxConcurrency how many shards may identify within `windowMs`; null: 1 is announced and nothing refused, so that
 * tests can restart a bot at once
 */
export function createSessionStarts(
  total: number,
  maxConcurrency: number | null,
  windowMs: number,
  now: () => number,
): SessionStarts {
  let count = 0;
  let today = { since: now(), count: 0 };
  const latest = new Map<number, number>();
  function limit(): SessionStartLimit {
    if (now() - today.since >= dayMs) today = { since: now(), count: 0 };
    return {
      total,
      remaining: Math.max(0, total - today.count),
      reset_after: today.since + dayMs - now(),
      max_concurrency: maxConcurrency ?? 1,
    };
  }
  return {
    get count() {
      return count;
    },
    limit,
    add(shard) {
      const allowed = limit().remaining > 0;
      count += 1;
      today.count += 1;
      if (!allowed) return 'tooMany';
      if (maxConcurrency === null) return 'allowed';
      const bucket = shard % maxConcurrency;
      const before = latest.get(bucket) ?? -Infinity;
      latest.set(bucket, now());
      return now() - before < windowMs ? 'tooSoon' : 'allowed';
    },
  };
}
