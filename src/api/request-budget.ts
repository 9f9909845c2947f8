import { createBoundedCache } from '../process/bounded-cache.ts';

/** Whom a request is for: posts and alerts (`duties`), one member, or work that can wait (`background`). */
export type Caller = 'duties' | `member:${string}` | 'background';

export type RequestBudget = ReturnType<typeof createRequestBudget>;

/** A request that is not sent yet. Callers that ask for the same share one. */
interface Waiting {
  callers: ReadonlySet<Caller>;
  isWanted: () => boolean;
  decide: (granted: boolean) => void;
}

/** Shares of a minute's limit: what the bucket holds, and what flows into it. The rest allows for differing clocks. */
const capacityShare = 0.3;
const refillShare = 0.65;
/** Share of the bucket that only duties use. */
const dutiesShare = 0.2;
/** Share of the bucket that background work leaves to members. A member leaves as much of it to others as it has sent lately. */
const newcomersShare = 0.35;
/** A member's past requests count half after this time. */
const halfLifeMs = 30_000;
const mostRemembered = 1_000;

const rankOf = (caller: Caller): number => (caller === 'duties' ? 0 : caller === 'background' ? 2 : 1);
const rank = ({ callers }: Waiting): number => Math.min(...[...callers].map(rankOf));

/**
 * Shares the service's limit among callers by a token bucket: a request takes one from it, and waits while it holds too little.
 * Duties come first, then the member with the fewest recent requests, then background work.
 * @param requestsPerMinute requests that the service admits in any minute, until `learn` names another number
 */
export function createRequestBudget(requestsPerMinute: number, monotonic: () => number) {
  const capacity = (): number => Math.max(1, Math.floor(requestsPerMinute * capacityShare));
  const refillPerMs = (): number => (requestsPerMinute * refillShare) / 60_000;
  const waiting = new Set<Waiting>();
  /** The recent requests of each caller, older ones counting less. */
  const sent = createBoundedCache<{ score: number; at: number }>(mostRemembered);
  let level = capacity();
  let filledAt = monotonic();
  let timer: NodeJS.Timeout | undefined;

  function fill(): void {
    const now = monotonic();
    level = Math.min(capacity(), level + (now - filledAt) * refillPerMs());
    filledAt = now;
  }

  const scoreOf = (caller: Caller): number => {
    const known = sent.peek(caller);
    return known === undefined ? 0 : known.score * 0.5 ** ((monotonic() - known.at) / halfLifeMs);
  };
  const score = ({ callers }: Waiting): number => Math.min(...[...callers].map(scoreOf));

  /** How full the bucket has to be for a request. */
  const neededLevel = (one: Waiting): number => {
    if (rank(one) === 0) return 1;
    const mostForNewcomers = Math.floor(capacity() * newcomersShare);
    const forNewcomers =
      rank(one) === 2 ? mostForNewcomers : Math.min(Math.floor(score(one)), mostForNewcomers);
    return 1 + Math.floor(capacity() * dutiesShare) + forNewcomers;
  };

  /** Whose turn it is. Requests that nobody wants any more end here. */
  function nextWanted(): Waiting | undefined {
    for (const one of waiting) {
      if (one.isWanted()) continue;
      waiting.delete(one);
      one.decide(false);
    }
    return [...waiting].toSorted((one, other) => rank(one) - rank(other) || score(one) - score(other))[0];
  }

  function wake(): void {
    clearTimeout(timer);
    for (let next = nextWanted(); next !== undefined; next = nextWanted()) {
      fill();
      const lacking = neededLevel(next) - level;
      // A tolerance, since the level is a sum of fractions.
      if (lacking > 1e-6) {
        timer = setTimeout(wake, Math.ceil(lacking / refillPerMs()));
        return;
      }
      level -= 1;
      waiting.delete(next);
      const [payer] = [...next.callers];
      if (payer !== undefined) sent.set(payer, { score: scoreOf(payer) + 1, at: monotonic() });
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
      level = Math.max(0, level + Math.floor(quota * capacityShare) - capacity());
      requestsPerMinute = quota;
      wake();
    },
    /** Estimate of how long a member's request would wait now. */
    expectedWaitMs: () => (waiting.size + 1) / refillPerMs(),
  };
}
