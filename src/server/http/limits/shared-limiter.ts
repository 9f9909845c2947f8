import type { Logger } from 'pino';
import type { LimitPolicy } from '../../../api/operations.ts';
import { within } from '../../../process/time-limit.ts';
import type { RequestLimits } from '../../store/cluster/request-limits.ts';
import { StoreUnavailable } from '../../store/engine/error.ts';
import { logFailure } from '../../store/engine/store-health.ts';
import { allowanceOf, type Allowance, type Limiter } from './limiter.ts';

/** After this time without an answer, requests are refused, as the store is away. */
const patienceMs = 3_000;

/**
 * A limiter whose counts all processes share, in PostgreSQL: at most the quota in each window, which begins with its first
 * request. Refused requests count as well. While the store is away, all requests fail.
 */
export function createSharedLimiter(limits: RequestLimits, log: Logger): Limiter {
  const decide = async (
    how: 'count' | 'read',
    key: string,
    policies: readonly LimitPolicy[],
  ): Promise<Allowance> => {
    const counted = await answered(
      Promise.all(
        policies.map(async (policy) => ({
          ...(await limits[how](`${policy.name} ${key}`, policy.windowSeconds)),
          policy,
        })),
      ),
    );
    const asked = how === 'count' ? 0 : 1;
    const admitted = counted.every(({ requests, policy }) => requests + asked <= policy.quota);
    const states = counted.map(({ requests, resetMs, policy }) => ({
      policy,
      remaining: Math.max(0, policy.quota - requests),
      resetMs,
    }));
    return allowanceOf(states, admitted);
  };
  return {
    take: (key, policies) => decide('count', key, policies),
    check: (key, policies) => decide('read', key, policies),
    sweep() {
      void limits
        .sweep()
        .catch((error: unknown) => logFailure(log, error, 'could not delete old request counts'));
    },
  };
}

async function answered<T>(work: Promise<T>): Promise<T> {
  const result = await within(work, patienceMs);
  if (result !== 'late') return result;
  throw new StoreUnavailable(`the store has not answered for ${patienceMs} ms`);
}
