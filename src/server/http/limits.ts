import type { LimitPolicy } from '../../api/operations.ts';
import { SlidingLog } from './sliding-log.ts';

interface Count {
  policy: LimitPolicy;
  log: SlidingLog;
}

/** What a request may still spend, per policy, and the headers that say so. */
export interface Allowance {
  admitted: boolean;
  /** Whole seconds until it pays to ask again; 0 when admitted. */
  retryAfterSeconds: number;
  /** The refusing policy, or the one with the least left. */
  tightest: LimitPolicy;
  headers: Record<string, string>;
}

/** Counts requests per key (a token's hash) under one or more policies at once. */
export interface Limiter {
  /** Admits a request under all policies, or refuses it and spends nothing. */
  take(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** What is left, spending nothing. */
  look(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Takes back what the latest `take` of this key spent. Only in the same tick, before any other request. */
  giveBack(key: string, policies: readonly LimitPolicy[]): Allowance;
  /** Forgets keys that have nothing spent. */
  sweep(): void;
}

export function createLimiter(now: () => number = Date.now): Limiter {
  const keys = new Map<string, Map<string, SlidingLog>>();

  const counts = (key: string, policies: readonly LimitPolicy[]): Count[] => {
    let logs = keys.get(key);
    if (logs === undefined) keys.set(key, (logs = new Map()));
    return policies.map((policy) => {
      let log = logs.get(policy.name);
      if (log?.quota !== policy.quota) {
        logs.set(policy.name, (log = new SlidingLog(policy.quota, policy.windowSeconds * 1000)));
      }
      return { policy, log };
    });
  };

  return {
    take(key, policies) {
      const at = now();
      const all = counts(key, policies);
      const admitted = all.every(({ log }) => log.remaining(at) > 0);
      if (admitted) for (const { log } of all) log.take(at);
      return allowance(all, at, admitted);
    },
    look: (key, policies) => allowance(counts(key, policies), now(), true),
    giveBack(key, policies) {
      const all = counts(key, policies);
      for (const { log } of all) log.giveBack();
      return allowance(all, now(), true);
    },
    sweep() {
      const at = now();
      for (const [key, logs] of keys) {
        if ([...logs.values()].every((log) => log.remaining(at) === log.quota)) keys.delete(key);
      }
    },
  };
}

/**
 * Headers: `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, where `t` is the time until
 * the next request is given back, and the customary `X-RateLimit-…` of the tightest policy.
 */
function allowance(counts: readonly Count[], now: number, admitted: boolean): Allowance {
  const states = counts.map(({ policy, log }) => ({
    policy,
    remaining: log.remaining(now),
    resetSeconds: Math.ceil(log.resetMs(now) / 1000),
  }));
  const tightest = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetSeconds > a.resetSeconds) ? b : a,
  );
  return {
    admitted,
    retryAfterSeconds: admitted ? 0 : Math.max(1, tightest.resetSeconds),
    tightest: tightest.policy,
    headers: {
      'RateLimit-Policy': states
        .map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`)
        .join(', '),
      RateLimit: states
        .map(({ policy, ...state }) => `"${policy.name}";r=${state.remaining};t=${state.resetSeconds}`)
        .join(', '),
      'X-RateLimit-Limit': String(tightest.policy.quota),
      'X-RateLimit-Remaining': String(tightest.remaining),
      'X-RateLimit-Reset': String(tightest.resetSeconds),
    },
  };
}
