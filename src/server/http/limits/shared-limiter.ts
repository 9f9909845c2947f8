import type { Logger } from 'pino';
import type { LimitPolicy } from '../../../api/operations.ts';
import { within } from '../../../process/time-limit.ts';
import { StoreUnavailable } from '../../store/engine/error.ts';
import { logFailure } from '../../store/engine/log-failure.ts';
import type { GroupResult, RequestGroup, RequestLimits } from '../../store/cluster/request-limits.ts';
import { allowanceOf } from './allowance.ts';
import type { Decision, Grant, Limiter } from './limits.ts';
import type { Metrics } from '../metrics/metrics.ts';

interface SharedLimiterParts {
  limits: RequestLimits;
  log: Logger;
  metrics?: Metrics | undefined;
  /** The moment of admission, epoch milliseconds. Default: the database's clock. */
  now?: () => number;
}

/** The longest time for which a batch waits for as many requests as came lately. */
const gatherMs = 2;
/** After this time without an answer, requests are refused, as the store is away. */
const patienceMs = 3_000;

interface Waiting {
  counts: boolean;
  settle: (decision: Decision) => void;
  fail: (error: unknown) => void;
}

/** Requests that differ in nothing but whether they count. */
interface Group extends Omit<RequestGroup, 'policies'> {
  policies: readonly LimitPolicy[];
  waiting: Waiting[];
}

/**
 * A limiter whose counts all processes share, in PostgreSQL. A call takes whole batches of requests, so that it costs
 * each of them little; there is one call at a time. If the store is away, all requests fail.
 *
 * Callers that send one request after the other answer a result with their next request. So a batch is sent when it has
 * as many requests as there were lately: that of a caller alone at once, and those of ten callers together.
 */
export class SharedLimiter implements Limiter {
  readonly #parts: SharedLimiterParts;
  readonly #observeBatch: (requests: number, ms: number) => void;
  #gathered = new Map<string, Group>();
  #gatheredCount = 0;
  /** Requests whose key is in the batch with other policies: they come into the next one. */
  #later: (() => void)[] = [];
  /** The requests of the last call, and those that came while it was under way. */
  #expectedCount = 1;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #isCalling = false;

  constructor(parts: SharedLimiterParts) {
    this.#parts = parts;
    this.#observeBatch = batchMetrics(parts.metrics);
  }

  take(key: string, policies: readonly LimitPolicy[], grant: Grant | null): Promise<Decision> {
    return this.#ask(true, key, policies, grant);
  }

  check(key: string, policies: readonly LimitPolicy[], grant: Grant | null): Promise<Decision> {
    return this.#ask(false, key, policies, grant);
  }

  sweep(): void {
    const { limits, log } = this.#parts;
    void limits
      .sweep()
      .catch((error: unknown) => logFailure(log, error, 'could not delete old request counts'));
  }

  get size(): number {
    return this.#gathered.size;
  }

  #ask(
    counts: boolean,
    key: string,
    policies: readonly LimitPolicy[],
    grant: Grant | null,
  ): Promise<Decision> {
    return new Promise((settle, fail) => this.#add(key, policies, grant, { counts, settle, fail }));
  }

  #add(key: string, policies: readonly LimitPolicy[], grant: Grant | null, request: Waiting): void {
    let group = this.#gathered.get(key);
    if (group === undefined) {
      this.#gathered.set(key, (group = { key, wanted: 0, grant, policies, waiting: [] }));
    } else if (!isSame(group, policies, grant)) {
      this.#later.push(() => this.#add(key, policies, grant, request));
      return;
    }
    group.waiting.push(request);
    if (request.counts) group.wanted += 1;
    this.#gatheredCount += 1;
    this.#sendWhenFull();
  }

  #sendWhenFull(): void {
    if (this.#isCalling || this.#isDue) return;
    if (this.#gatheredCount < this.#expectedCount) {
      this.#timer ??= setTimeout(() => void this.#send(), gatherMs);
      return;
    }
    // Requests that arrived in the same moment come along.
    this.#isDue = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    const { limits, now } = this.#parts;
    const groups = [...this.#gathered.values()];
    const requests = this.#gatheredCount;
    this.#gathered = new Map();
    this.#gatheredCount = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    this.#isCalling = true;
    for (const add of this.#later.splice(0)) add();
    const calledAt = performance.now();
    try {
      const results = await answered(limits.take(groups, now?.() ?? null));
      for (const [index, group] of groups.entries()) this.#answer(group, results[index] as GroupResult);
    } catch (error) {
      for (const { waiting } of groups) for (const { fail } of waiting) fail(error);
    }
    this.#observeBatch(requests, performance.now() - calledAt);
    this.#isCalling = false;
    this.#expectedCount = requests + this.#gatheredCount;
    if (this.#gatheredCount > 0) this.#sendWhenFull();
  }

  #answer({ policies, waiting }: Group, result: GroupResult): void {
    let admissible = result.admitted;
    for (const { counts, settle } of waiting) {
      if (!result.valid) {
        settle('revoked');
        continue;
      }
      const open = result.policies.every(({ remaining }) => remaining + admissible > 0);
      const admitted = counts ? admissible > 0 : open;
      if (counts && admitted) admissible -= 1;
      // Each has as many left as if they had come one after the other.
      const states = result.policies.map(({ remaining, resetMs }) => ({
        remaining: remaining + admissible,
        resetMs,
      }));
      settle(allowanceOf(policies, states, admitted));
    }
  }
}

function batchMetrics(metrics: Metrics | undefined): (requests: number, ms: number) => void {
  const size = metrics?.histogram(
    'outpost_limit_batch_requests',
    'Requests whose limits one call of the store counted.',
    [1, 2, 5, 10, 20, 50, 100, 200, 500],
  );
  const duration = metrics?.histogram(
    'outpost_limit_batch_duration_seconds',
    'Duration of such a call, which fails after three seconds.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
  );
  return (requests, ms) => {
    size?.(requests);
    duration?.(ms / 1000);
  };
}

function isSame(group: Group, policies: readonly LimitPolicy[], grant: Grant | null): boolean {
  if (group.grant?.generation !== grant?.generation) return false;
  if (group.policies === policies) return true;
  return (
    group.policies.length === policies.length &&
    policies.every(({ name, quota }, index) => {
      const own = group.policies[index] as LimitPolicy;
      return own.name === name && own.quota === quota;
    })
  );
}

async function answered<T>(work: Promise<T>): Promise<T> {
  const result = await within(work, patienceMs);
  if (result !== 'late') return result;
  throw new StoreUnavailable(`the store has not answered for ${patienceMs} ms`);
}
