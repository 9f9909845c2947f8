import type { LimitPolicy } from '../../../api/operations.ts';
import { systemClock } from '../../../process/clock.ts';
import { Problem } from '../answers/problem.ts';

/** The result of a limit check, and the headers that report it. */
export interface Allowance {
  admitted: boolean;
  /** Requests left under the refusing policy, or under the one with the fewest left. */
  remaining: number;
  /** Whole seconds until that policy admits another request; never 0 for a refused one. */
  resetSeconds: number;
  /** The refusing policy, or the one with the fewest requests left. */
  tightest: LimitPolicy;
  /** Names and values in turns. */
  headers: string[];
}

/** The answer to a request that a limit does not admit. @param expected what was expected, as a sentence */
export function tooManyRequests({ resetSeconds: retryAfter }: Allowance, expected: string): Problem {
  return new Problem('rate_limited', `${expected} Try again in ${retryAfter} s.`, { retryAfter });
}

/** @throws Problem 429 for a request that a limit does not admit */
export function requireAdmitted(allowance: Allowance, expected: string): void {
  if (!allowance.admitted) throw tooManyRequests(allowance, expected);
}

/** `Expected at most 120 requests in any 60 seconds with one token.` */
export function expectedAtMost({ quota, windowSeconds }: LimitPolicy, whose: string): string {
  return `Expected at most ${quota} requests in any ${windowSeconds} seconds ${whose}.`;
}

/** How far a policy's quota is used. */
interface PolicyState {
  policy: LimitPolicy;
  remaining: number;
  /** Until another request is admitted; the whole window when none is counted. */
  resetMs: number;
}

/**
 * The headers are `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, where `t` is the time
 * until another request is admitted, and the customary `X-RateLimit-…` of the tightest policy.
 */
export function allowanceOf(counted: readonly PolicyState[], admitted: boolean): Allowance {
  const states = counted.map(({ policy, remaining, resetMs }) => {
    const seconds = Math.ceil(resetMs / 1000);
    return { policy, remaining, resetSeconds: admitted ? seconds : Math.max(1, seconds) };
  });
  const {
    policy: tightest,
    remaining,
    resetSeconds,
  } = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetSeconds > a.resetSeconds) ? b : a,
  );
  const headers = [
    'RateLimit-Policy',
    states
      .map(({ policy: { name, quota, windowSeconds } }) => `"${name}";q=${quota};w=${windowSeconds}`)
      .join(', '),
    'RateLimit',
    states.map((state) => `"${state.policy.name}";r=${state.remaining};t=${state.resetSeconds}`).join(', '),
    'X-RateLimit-Limit',
    String(tightest.quota),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(resetSeconds),
  ];
  return { admitted, remaining, resetSeconds, tightest, headers };
}

/** Counts requests per key (a token's hash, an address) under one or more policies at once. */
export interface Limiter {
  /** Admits a request under all policies, or refuses it. */
  take(key: string, policies: readonly LimitPolicy[]): Promise<Allowance>;
  /** Whether a request would be admitted; counts nothing. */
  check(key: string, policies: readonly LimitPolicy[]): Promise<Allowance>;
  /** Deletes keys without counted requests. */
  sweep(): void;
}

/**
 * A limiter of this process alone, which counts no request that it refuses. It takes 230 bytes per key, 1.3 kB when all of 120
 * requests are used. A key is kept while any of its requests count. Beyond `maxKeys` the oldest key is dropped: set it where callers can invent keys.
 */
export function createLimiter(
  monotonic = systemClock.monotonic,
  maxKeys = Infinity,
): Limiter & { size: number } {
  const keys = new Map<string, SlidingLog[]>();

  const logOf = (logs: SlidingLog[], { name, quota, windowSeconds }: LimitPolicy): SlidingLog => {
    let log = logs.find((one) => one.name === name);
    if (log === undefined) logs.push((log = new SlidingLog(name, quota, windowSeconds * 1000)));
    log.quota = quota;
    return log;
  };
  const decide = (key: string, policies: readonly LimitPolicy[], counts: boolean): Allowance => {
    const at = monotonic();
    const known = keys.get(key) ?? [];
    const logs = policies.map((policy) => logOf(known, policy));
    const admitted = logs.every((log) => log.remaining(at) > 0);
    if (counts && admitted) {
      for (const log of logs) log.take(at);
      keys.set(key, known);
      if (keys.size > maxKeys) keys.delete(keys.keys().next().value as string);
    }
    const states = policies.map((policy, index) => {
      const log = logs[index] as SlidingLog;
      return { policy, remaining: log.remaining(at), resetMs: log.resetMs(at) };
    });
    return allowanceOf(states, admitted);
  };

  return {
    take: async (key, policies) => decide(key, policies, true),
    check: async (key, policies) => decide(key, policies, false),
    sweep() {
      const at = monotonic();
      for (const [key, logs] of keys) if (logs.every((log) => log.isIdle(at))) keys.delete(key);
    },
    /** Number of keys in memory. */
    get size() {
      return keys.size;
    },
  };
}

/**
 * The times of the latest admitted requests, at most `quota` of them. A request is admitted if fewer than `quota` lie within
 * the window that ends with it, so no window of that length ever contains more. Counters per calendar minute would admit
 * twice the quota around the turn of the minute. Times are from a monotonic clock.
 */
export class SlidingLog {
  readonly name: string;
  readonly windowMs: number;
  /** May change: earlier requests stay counted. */
  quota: number;
  /** In order. */
  readonly #moments: number[] = [];

  constructor(name: string, quota: number, windowMs: number) {
    this.name = name;
    this.quota = quota;
    this.windowMs = windowMs;
  }

  /** How many more requests are admitted at `now`. */
  remaining(now: number): number {
    return Math.max(0, this.quota - this.#counted(now));
  }

  /** Milliseconds until another request is admitted; the whole window when none is counted. */
  resetMs(now: number): number {
    const counted = this.#counted(now);
    if (counted === 0) return this.windowMs;
    // If the quota was lowered, this many must expire before one is given back.
    const blocking = Math.max(0, counted - this.quota);
    // In this order: a sum of fractions of a millisecond could exceed the window by a rounding error.
    return Math.max(0, (this.#moments[blocking] as number) - now + this.windowMs);
  }

  /** Counts a request. Only after `remaining` was above 0. */
  take(now: number): void {
    this.#moments.push(now);
  }

  isIdle(now: number): boolean {
    return this.#counted(now) === 0;
  }

  #counted(now: number): number {
    const moments = this.#moments;
    const kept = moments.findIndex((at) => at + this.windowMs > now);
    // All at once: hundreds of thousands, as a large quota has, take seconds one by one.
    if (kept !== 0) moments.splice(0, kept === -1 ? moments.length : kept);
    return moments.length;
  }
}
