import { createBoundedCache } from '../process/bounded-cache.ts';

/** Whom a request is for: posts and alerts (`duties`), one member, or work that can wait (`background`). */
export type Caller = 'duties' | `member:${string}` | 'background';

export type RequestBudget = ReturnType<typeof createRequestBudget>;

interface Waiting {
  callers: ReadonlySet<Caller>;
  isWanted: () => boolean;
  decide: (granted: boolean) => void;
}

/** Shares of a minute's limit: sent at once, and spread over the minute. The rest allows for differing clocks. */
const burstShare = 0.3;
const evenShare = 0.65;
/** Share of the burst that is reserved for duties. */
const dutiesShare = 0.2;
/** Share of the burst that background work leaves, and members with many recent requests at most leave, for other members. */
const newcomersShare = 0.35;
/** A member's past requests count half after this time. */
const halfLifeMs = 30_000;
const mostRemembered = 1_000;

const rankOf = (caller: Caller): number => (caller === 'duties' ? 0 : caller === 'background' ? 2 : 1);
const rank = ({ callers }: Waiting): number => Math.min(...[...callers].map(rankOf));

/**
 * Shares the service's limit among callers. Duties come first, then the member with the fewest recent requests, then
 * background work. A part of the limit is reserved for duties.
 * @param requestsPerMinute requests that the service admits in any minute, until `learn` names another number
 */
export function createRequestBudget(requestsPerMinute: number, monotonic: () => number) {
  const burst = (): number => Math.max(1, Math.floor(requestsPerMinute * burstShare));
  const perMs = (): number => (requestsPerMinute * evenShare) / 60_000;
  const waiting = new Set<Waiting>();
  const taken = createBoundedCache<{ score: number; at: number }>(mostRemembered);
  let level = burst();
  let filledAt = monotonic();
  let timer: NodeJS.Timeout | undefined;

  function fill(): void {
    const now = monotonic();
    level = Math.min(burst(), level + (now - filledAt) * perMs());
    filledAt = now;
  }

  const scoreOf = (caller: Caller): number => {
    const known = taken.peek(caller);
    return known === undefined ? 0 : known.score * 0.5 ** ((monotonic() - known.at) / halfLifeMs);
  };
  const score = ({ callers }: Waiting): number => Math.min(...[...callers].map(scoreOf));

  /** The level at which the request may be sent. */
  const needs = (one: Waiting): number => {
    if (rank(one) === 0) return 1;
    const mostForNewcomers = Math.floor(burst() * newcomersShare);
    const forNewcomers =
      rank(one) === 2 ? mostForNewcomers : Math.min(Math.floor(score(one)), mostForNewcomers);
    return 1 + Math.floor(burst() * dutiesShare) + forNewcomers;
  };

  function first(): Waiting | undefined {
    for (const one of waiting) {
      if (one.isWanted()) continue;
      waiting.delete(one);
      one.decide(false);
    }
    return [...waiting].toSorted((one, other) => rank(one) - rank(other) || score(one) - score(other))[0];
  }

  function wake(): void {
    clearTimeout(timer);
    for (let next = first(); next !== undefined; next = first()) {
      fill();
      const lacking = needs(next) - level;
      // A tolerance, since the level is a sum of fractions.
      if (lacking > 1e-6) {
        timer = setTimeout(wake, Math.ceil(lacking / perMs()));
        return;
      }
      level -= 1;
      waiting.delete(next);
      const [payer] = [...next.callers];
      if (payer !== undefined) taken.set(payer, { score: scoreOf(payer) + 1, at: monotonic() });
      next.decide(true);
    }
  }

  return {
    wake,
    /**
     * Resolves with true when the request may be sent, and with false when it is no longer wanted at its turn. Call `wake`
     * after adding to `callers`.
     */
    turn(callers: ReadonlySet<Caller>, isWanted: () => boolean): Promise<boolean> {
      return new Promise((resolve) => {
        waiting.add({ callers, isWanted, decide: resolve });
        wake();
      });
    },
    /** Sets how many requests the service admits in a minute. */
    learn(quota: number): void {
      if (quota === requestsPerMinute) return;
      fill();
      level = Math.max(0, level + Math.floor(quota * burstShare) - burst());
      requestsPerMinute = quota;
      wake();
    },
    /** Estimate of how long a member's request would wait now. */
    expectedWaitMs: () => (waiting.size + 1) / perMs(),
  };
}
