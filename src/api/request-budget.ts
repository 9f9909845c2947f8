import { createBoundedCache } from '../process/bounded-cache.ts';

/** Whom a request is for: posts and alerts (`duties`), one member, or work that can wait (`background`). */
export type Caller = 'duties' | `member:${string}` | 'background';

export type RequestBudget = ReturnType<typeof createRequestBudget>;

/** A request that is not sent yet. Callers that ask for the same share one. */
interface Waiting {
  callers: ReadonlySet<Caller>;
  isWanted: () => boolean;
  /** Lets it be sent, or ends it. */
  decide: (granted: boolean) => void;
}

/** Of a minute's limit: what a full bucket holds, and what flows into it in a minute. The last 5 % allow for differing clocks. */
const capacityShare = 0.3;
const refillShare = 0.65;
/** Of a full bucket: what only duties may use. */
const dutiesShare = 0.2;
/** Of a full bucket: what background work leaves to members, and members who have sent much lately leave to the others. */
const newcomersShare = 0.35;
/** A past request counts half after this time. */
const halfLifeMs = 30_000;
const mostRemembered = 1_000;

/** 0 comes first. Where several callers share a request, the first of them counts. */
const priorityOfCaller = (caller: Caller): 0 | 1 | 2 =>
  caller === 'duties' ? 0 : caller === 'background' ? 2 : 1;
const priorityOf = ({ callers }: Waiting): number => Math.min(...[...callers].map(priorityOfCaller));

/**
 * Shares the service's limit among callers by a token bucket: a request takes one from it, and waits while it holds too little.
 * Duties come first, then the member with the fewest recent requests, then background work.
 * @param requestsPerMinute requests that the service admits in any minute, until `setRequestsPerMinute` is called
 */
export function createRequestBudget(requestsPerMinute: number, monotonic: () => number) {
  const capacity = (): number => Math.max(1, Math.floor(requestsPerMinute * capacityShare));
  const refillPerMs = (): number => (requestsPerMinute * refillShare) / 60_000;
  const waiting = new Set<Waiting>();
  /** How much each caller has sent lately: its requests, of which older ones count less, as of `at`. */
  const recentRequests = createBoundedCache<{ score: number; at: number }>(mostRemembered);
  let level = capacity();
  let filledAt = monotonic();
  let timer: NodeJS.Timeout | undefined;

  function fill(): void {
    const now = monotonic();
    level = Math.min(capacity(), level + (now - filledAt) * refillPerMs());
    filledAt = now;
  }

  const sentBy = (caller: Caller): number => {
    const known = recentRequests.peek(caller);
    return known === undefined ? 0 : known.score * 0.5 ** ((monotonic() - known.at) / halfLifeMs);
  };
  const leastSent = ({ callers }: Waiting): number => Math.min(...[...callers].map(sentBy));

  /** How full the bucket has to be for a request: one for itself, and what it leaves to callers who come before it. */
  const neededLevel = (request: Waiting): number => {
    const priority = priorityOf(request);
    if (priority === 0) return 1;
    const mostForNewcomers = Math.floor(capacity() * newcomersShare);
    const sentLately = priority === 2 ? Infinity : Math.floor(leastSent(request));
    return 1 + Math.floor(capacity() * dutiesShare) + Math.min(sentLately, mostForNewcomers);
  };

  /** The request whose turn it is. Ends those that nobody wants any more. */
  function nextWanted(): Waiting | undefined {
    for (const one of waiting) {
      if (one.isWanted()) continue;
      waiting.delete(one);
      one.decide(false);
    }
    return [...waiting].toSorted(
      (one, other) => priorityOf(one) - priorityOf(other) || leastSent(one) - leastSent(other),
    )[0];
  }

  /** Sends what may be sent now, and comes back when the bucket is full enough for the next. */
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
      // A shared request counts for the caller who was first to ask.
      const [payer] = [...next.callers];
      if (payer !== undefined) recentRequests.set(payer, { score: sentBy(payer) + 1, at: monotonic() });
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
    /** What was sent in this minute counts for the new limit, too: the bucket lacks as many requests as before. */
    setRequestsPerMinute(quota: number): void {
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
