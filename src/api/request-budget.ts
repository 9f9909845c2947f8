/** On whose behalf a request is made: posts and alerts, one member, or what can wait. */
export type Caller = 'duties' | `member:${string}` | 'background';

export interface BudgetOptions {
  /** Requests that the service takes in any minute, until an answer says otherwise. */
  requestsPerMinute: number;
  monotonic: () => number;
}

/**
 * Spends the service's limit so that it is never exceeded and nobody is starved: duties come first, then the member who
 * asked least of late, then what can wait. Members and the rest never take the last of it, which is for duties.
 */
export interface RequestBudget {
  /**
   * Resolves when the request may go out. `callers` may grow meanwhile; call `wake` then. False: it was not wanted any
   * more when its turn came.
   */
  turn(callers: ReadonlySet<Caller>, isWanted: () => boolean): Promise<boolean>;
  wake(): void;
  /** What the service says that it takes in a minute. */
  learn(requestsPerMinute: number): void;
  /** About how long a request of a member would wait now. */
  expectedWaitMs(): number;
}

interface Waiting {
  callers: ReadonlySet<Caller>;
  isWanted: () => boolean;
  decide: (granted: boolean) => void;
}

/** Of a minute's limit, so much may go out at once, and so much evenly over the minute; the rest is for the clocks. */
const burstShare = 0.3;
const evenShare = 0.65;
/** So much of the burst is left for duties. */
const dutiesShare = 0.2;
/** So much of the burst is left by what can wait, and at most so much by members who asked a lot, for those who did not. */
const newcomersShare = 0.35;
/** What a member took counts half after this time. */
const halfLifeMs = 30_000;
const mostRemembered = 1_000;

const rankOf = (caller: Caller): number => (caller === 'duties' ? 0 : caller === 'background' ? 2 : 1);
const rank = ({ callers }: Waiting): number => Math.min(...[...callers].map(rankOf));

export function createRequestBudget(options: BudgetOptions): RequestBudget {
  const { monotonic } = options;
  let { requestsPerMinute } = options;
  const burst = (): number => Math.max(1, Math.floor(requestsPerMinute * burstShare));
  const perMs = (): number => (requestsPerMinute * evenShare) / 60_000;
  const waiting = new Set<Waiting>();
  const taken = new Map<Caller, { score: number; at: number }>();
  let level = burst();
  let filledAt = monotonic();
  let timer: NodeJS.Timeout | undefined;

  function fill(): void {
    const now = monotonic();
    level = Math.min(burst(), level + (now - filledAt) * perMs());
    filledAt = now;
  }

  const scoreOf = (caller: Caller): number => {
    const known = taken.get(caller);
    return known === undefined ? 0 : known.score * 0.5 ** ((monotonic() - known.at) / halfLifeMs);
  };
  const score = ({ callers }: Waiting): number => Math.min(...[...callers].map(scoreOf));

  function charge(caller: Caller | undefined): void {
    if (caller === undefined) return;
    const next = { score: scoreOf(caller) + 1, at: monotonic() };
    taken.delete(caller);
    taken.set(caller, next);
    for (const oldest of taken.keys()) {
      if (taken.size <= mostRemembered) break;
      taken.delete(oldest);
    }
  }

  /** What has to be there before it may go out. */
  const needs = (one: Waiting): number => {
    if (rank(one) === 0) return 1;
    const mostForNewcomers = Math.floor(burst() * newcomersShare);
    const forNewcomers =
      rank(one) === 2 ? mostForNewcomers : Math.min(Math.floor(score(one)), mostForNewcomers);
    return 1 + Math.floor(burst() * dutiesShare) + forNewcomers;
  };

  function first(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const one of waiting) {
      if (!one.isWanted()) {
        waiting.delete(one);
        one.decide(false);
        continue;
      }
      const isBefore =
        best === undefined ||
        rank(one) < rank(best) ||
        (rank(one) === rank(best) && score(one) < score(best));
      if (isBefore) best = one;
    }
    return best;
  }

  function wake(): void {
    clearTimeout(timer);
    for (let next = first(); next !== undefined; next = first()) {
      fill();
      const lacking = needs(next) - level;
      // A hair: the level is a sum of fractions.
      if (lacking > 1e-6) {
        timer = setTimeout(wake, Math.ceil(lacking / perMs()));
        return;
      }
      level -= 1;
      waiting.delete(next);
      charge([...next.callers][0]);
      next.decide(true);
    }
  }

  return {
    wake,
    turn(callers, isWanted) {
      return new Promise((resolve) => {
        waiting.add({ callers, isWanted, decide: resolve });
        wake();
      });
    },
    learn(quota) {
      if (quota === requestsPerMinute) return;
      fill();
      level = Math.max(0, level + Math.floor(quota * burstShare) - burst());
      requestsPerMinute = quota;
      wake();
    },
    expectedWaitMs: () => (waiting.size + 1) / perMs(),
  };
}
