import type { LimitPolicy } from '../../api/operations.ts';
import { systemClock } from '../../process/clock.ts';
import { SlidingLog } from './sliding-log.ts';

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

/** Counts requests per key (a token's hash) under one or more policies at once. */
export interface Limiter {
  /** Admits a request under all policies, or refuses it without counting it. */
  take(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** The state of the limits; counts nothing. */
  check(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Undoes the latest `take` of this key. Only in the same tick, before any other request. */
  giveBack(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Deletes keys without counted requests. */
  sweep(): void;
  /** Number of keys in memory. */
  readonly size: number;
}

/**
 * A limiter in memory: 230 bytes per key, 1.3 kB when all of 120 requests are used. A key is kept while any of its
 * requests count. Beyond `maxKeys` the oldest key is dropped: set it where callers can invent keys.
 */
export function createLimiter(monotonic = systemClock.monotonic, maxKeys = Infinity): Limiter {
  const keys = new Map<string, SlidingLog[]>();

  const logOf = (logs: SlidingLog[], { name, quota, windowSeconds }: LimitPolicy): SlidingLog => {
    let log = logs.find((one) => one.name === name);
    if (log === undefined) logs.push((log = new SlidingLog(name, quota, windowSeconds * 1000)));
    log.quota = quota;
    return log;
  };
  const logsOf = (key: string, policies: readonly LimitPolicy[]): SlidingLog[] => {
    const logs = keys.get(key) ?? [];
    return policies.map((policy) => logOf(logs, policy));
  };

  return {
    take(key, policies) {
      const at = monotonic();
      const logs = logsOf(key, policies);
      const admitted = logs.every((log) => log.remaining(at) > 0);
      if (admitted) {
        for (const log of logs) log.take(at);
        if (!keys.has(key)) keys.set(key, logs);
        if (keys.size > maxKeys) keys.delete(keys.keys().next().value as string);
      }
      return allowance(policies, logs, at, admitted);
    },
    check: (key, policies) => allowance(policies, logsOf(key, policies), monotonic(), true),
    giveBack(key, policies) {
      const logs = logsOf(key, policies);
      for (const log of logs) log.giveBack();
      return allowance(policies, logs, monotonic(), true);
    },
    sweep() {
      const at = monotonic();
      for (const [key, logs] of keys) if (logs.every((log) => log.idle(at))) keys.delete(key);
    },
    get size() {
      return keys.size;
    },
  };
}

/**
 * The headers are `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, where `t` is the time
 * until another request is admitted, and the customary `X-RateLimit-…` of the tightest policy.
 */
function allowance(
  policies: readonly LimitPolicy[],
  logs: readonly SlidingLog[],
  now: number,
  admitted: boolean,
): Allowance {
  const states = policies.map((policy, index) => stateOf(policy, logs[index] as SlidingLog, now, admitted));
  const {
    policy: tightest,
    remaining,
    resetSeconds,
  } = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetSeconds > a.resetSeconds) ? b : a,
  );
  const headers = [
    'RateLimit-Policy',
    policies.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`).join(', '),
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

/** Like `Allowance`, for one policy. */
interface PolicyState {
  policy: LimitPolicy;
  remaining: number;
  resetSeconds: number;
}

function stateOf(policy: LimitPolicy, log: SlidingLog, now: number, admitted: boolean): PolicyState {
  const seconds = Math.ceil(log.resetMs(now) / 1000);
  const resetSeconds = admitted ? seconds : Math.max(1, seconds);
  return { policy, remaining: log.remaining(now), resetSeconds };
}
