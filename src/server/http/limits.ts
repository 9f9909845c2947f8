import type { LimitPolicy } from '../../api/operations.ts';
import { systemClock } from '../../process/clock.ts';
import { SlidingLog } from './sliding-log.ts';

/** What a request may still spend, and the headers that say so. */
export interface Allowance {
  admitted: boolean;
  /** What the refusing policy has left, or the one with the least left. */
  remaining: number;
  /** Whole seconds until that policy gives the next request back; never 0 for a refused request. */
  resetSeconds: number;
  /** The refusing policy, or the one with the least left. */
  tightest: LimitPolicy;
  /** Names and values in turns. */
  headers: string[];
}

/** Counts requests per key (a token's hash) under one or more policies at once. */
export interface Limiter {
  /** Admits a request under all policies, or refuses it and spends nothing. */
  take(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** What is left, spending nothing. */
  check(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Takes back what the latest `take` of this key spent. Only in the same tick, before any other request. */
  giveBack(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Forgets keys that have nothing spent. */
  sweep(): void;
  /** Keys that are remembered. */
  readonly size: number;
}

/**
 * A limiter in memory: 230 bytes a key, 1.3 kB when all of 120 is spent. A key is remembered while any of its requests
 * count. Beyond `maxKeys` the oldest key is dropped: set it where callers can make up keys.
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
  const remember = (key: string, logs: SlidingLog[]): void => {
    const known = keys.get(key);
    if (known === undefined) {
      keys.set(key, logs);
      if (keys.size > maxKeys) keys.delete(keys.keys().next().value as string);
      return;
    }
    for (const log of logs) if (!known.includes(log)) known.push(log);
  };

  return {
    take(key, policies) {
      const at = monotonic();
      const known = keys.get(key);
      const [only] = policies;
      // The usual request: a token in use with one limit. Nothing to search for, nothing to allocate.
      if (known !== undefined && policies.length === 1 && known[0]?.name === only?.name) {
        const log = known[0] as SlidingLog;
        const policy = only as LimitPolicy;
        log.quota = policy.quota;
        const admitted = log.remaining(at) > 0;
        if (admitted) log.take(at);
        return oneAllowance(policy, log, at, admitted);
      }
      const logs = logsOf(key, policies);
      const admitted = logs.every((log) => log.remaining(at) > 0);
      if (admitted) {
        for (const log of logs) log.take(at);
        remember(key, logs);
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

function oneAllowance(policy: LimitPolicy, log: SlidingLog, now: number, admitted: boolean): Allowance {
  const remaining = log.remaining(now);
  const seconds = Math.ceil(log.resetMs(now) / 1000);
  const resetSeconds = admitted ? seconds : Math.max(1, seconds);
  return {
    admitted,
    remaining,
    resetSeconds,
    tightest: policy,
    headers: rateHeaders(
      policyHeader(policy),
      `"${policy.name}";r=${remaining};t=${resetSeconds}`,
      policy,
      remaining,
      resetSeconds,
    ),
  };
}

function allowance(
  policies: readonly LimitPolicy[],
  logs: readonly SlidingLog[],
  now: number,
  admitted: boolean,
): Allowance {
  const states = policies.map((policy, index) =>
    oneAllowance(policy, logs[index] as SlidingLog, now, admitted),
  );
  const tightest = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetSeconds > a.resetSeconds) ? b : a,
  );
  return {
    ...tightest,
    headers: rateHeaders(
      policies.map(policyHeader).join(', '),
      policies
        .map((policy, index) => {
          const { remaining, resetSeconds } = states[index] as Allowance;
          return `"${policy.name}";r=${remaining};t=${resetSeconds}`;
        })
        .join(', '),
      tightest.tightest,
      tightest.remaining,
      tightest.resetSeconds,
    ),
  };
}

function policyHeader({ name, quota, windowSeconds }: LimitPolicy): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/**
 * `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, where `t` is the time until the next
 * request is given back, and the customary `X-RateLimit-…` of the tightest policy.
 */
function rateHeaders(
  policyText: string,
  stateText: string,
  { quota }: LimitPolicy,
  remaining: number,
  resetSeconds: number,
): string[] {
  return [
    'RateLimit-Policy',
    policyText,
    'RateLimit',
    stateText,
    'X-RateLimit-Limit',
    String(quota),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(resetSeconds),
  ];
}
