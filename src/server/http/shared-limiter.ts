import type { Logger } from 'pino';
import type { LimitPolicy } from '../../api/operations.ts';
import { within } from '../../process/time-limit.ts';
import { StoreUnavailable } from '../store/engine/error.ts';
import { logFailure } from '../store/engine/log-failure.ts';
import type { GroupResult, RequestGroup, RequestLimits } from '../store/cluster/request-limits.ts';
import type { Revisions } from '../store/engine/opened.ts';
import { allowanceOf } from './allowance.ts';
import type { Decision, Grant, Limiter } from './limits.ts';

export interface SharedLimiterParts {
  limits: RequestLimits;
  /** Each call also reads the revisions of the projects concerned. */
  revisions: Pick<Revisions, 'learn'>;
  log: Logger;
  /** Called after each call, whether it succeeded or not. */
  onBatch?: ((batch: { requests: number; ms: number }) => void) | undefined;
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
export function createSharedLimiter({ limits, revisions, log, onBatch, now }: SharedLimiterParts): Limiter {
  let gathered = new Map<string, Group>();
  /** Requests whose key is in the batch with other policies: they come into the next one. */
  let later: (() => void)[] = [];
  let gatheredCount = 0;
  /** The requests of the last call, and those that came while it was under way. */
  let expectedCount = 1;
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  let isCalling = false;

  const answer = ({ policies, waiting }: Group, result: GroupResult): void => {
    if (result.project !== null) revisions.learn(result.project.id, result.project.revision);
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
  };

  const send = async (): Promise<void> => {
    const groups = [...gathered.values()];
    const requests = gatheredCount;
    gathered = new Map();
    gatheredCount = 0;
    clearTimeout(timer);
    timer = undefined;
    isDue = false;
    isCalling = true;
    for (const add of later.splice(0)) add();
    const calledAt = performance.now();
    try {
      const results = await answered(limits.take(groups, now?.() ?? null));
      for (const [index, group] of groups.entries()) answer(group, results[index] as GroupResult);
    } catch (error) {
      for (const { waiting } of groups) for (const { fail } of waiting) fail(error);
    }
    onBatch?.({ requests, ms: performance.now() - calledAt });
    isCalling = false;
    expectedCount = requests + gatheredCount;
    if (gatheredCount > 0) arm();
  };
  const arm = (): void => {
    if (isCalling || isDue) return;
    if (gatheredCount < expectedCount) {
      timer ??= setTimeout(() => void send(), gatherMs);
      return;
    }
    // Requests that arrived in the same moment come along.
    isDue = true;
    setImmediate(() => void send());
  };
  const add = (
    key: string,
    policies: readonly LimitPolicy[],
    grant: Grant | null,
    request: Waiting,
  ): void => {
    let group = gathered.get(key);
    if (group === undefined) {
      gathered.set(key, (group = { key, wanted: 0, grant, policies, waiting: [] }));
    } else if (!isSame(group, policies, grant)) {
      later.push(() => add(key, policies, grant, request));
      return;
    }
    group.waiting.push(request);
    if (request.counts) group.wanted += 1;
    gatheredCount += 1;
    arm();
  };
  const ask =
    (counts: boolean): Limiter['take'] =>
    (key, policies, grant) =>
      new Promise((settle, fail) => add(key, policies, grant, { counts, settle, fail }));

  return {
    take: ask(true),
    check: ask(false),
    sweep() {
      void limits
        .sweep()
        .catch((error: unknown) => logFailure(log, error, 'could not delete old request counts'));
    },
    get size() {
      return gathered.size;
    },
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
