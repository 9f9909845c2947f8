import type { Logger } from 'pino';
import type { LimitPolicy } from '../../api/operations.ts';
import { StoreUnavailable } from '../store/engine/error.ts';
import { logFailure } from '../store/engine/log-failure.ts';
import type { GroupResult, RequestGroup, RequestLimits } from '../store/shared/request-limits.ts';
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

/**
 * How long requests are gathered, from the first one or from the end of the last call. Callers that send one request
 * after the other answer a result with their next request, so all of them come into one batch.
 */
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
 */
export function createSharedLimiter({ limits, revisions, log, onBatch, now }: SharedLimiterParts): Limiter {
  let gathered = new Map<string, Group>();
  /** Requests whose key is in the batch with other policies: they come into the next one. */
  let later: (() => void)[] = [];
  let timer: NodeJS.Timeout | null = null;
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
    gathered = new Map();
    timer = null;
    isCalling = true;
    for (const add of later.splice(0)) add();
    const calledAt = performance.now();
    try {
      const results = await inTime(limits.take(groups, now?.() ?? null));
      for (const [index, group] of groups.entries()) answer(group, results[index] as GroupResult);
    } catch (error) {
      for (const { waiting } of groups) for (const { fail } of waiting) fail(error);
    }
    const requests = groups.reduce((sum, { waiting }) => sum + waiting.length, 0);
    onBatch?.({ requests, ms: performance.now() - calledAt });
    isCalling = false;
    if (gathered.size > 0) arm();
  };
  const arm = (): void => {
    if (!isCalling) timer ??= setTimeout(() => void send(), gatherMs);
  };
  const add = (
    key: string,
    policies: readonly LimitPolicy[],
    grant: Grant | null,
    waiting: Waiting,
  ): void => {
    let group = gathered.get(key);
    if (group === undefined) {
      gathered.set(key, (group = { key, wanted: 0, grant, policies, waiting: [] }));
    } else if (!isSame(group, policies, grant)) {
      later.push(() => add(key, policies, grant, waiting));
      return;
    }
    group.waiting.push(waiting);
    if (waiting.counts) group.wanted += 1;
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

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable(`the store has not answered for ${patienceMs} ms`));
    }, patienceMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
