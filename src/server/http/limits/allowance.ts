import type { LimitPolicy } from '../../../api/operations.ts';

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

/** What a key may still do under one policy. */
interface PolicyState {
  remaining: number;
  /** Until another request is admitted; the whole window when none is counted. */
  resetMs: number;
}

/**
 * The headers are `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, where `t` is the time
 * until another request is admitted, and the customary `X-RateLimit-…` of the tightest policy.
 */
export function allowanceOf(
  policies: readonly LimitPolicy[],
  counted: readonly PolicyState[],
  admitted: boolean,
): Allowance {
  const states = policies.map((policy, index) => {
    const { remaining, resetMs } = counted[index] as PolicyState;
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
