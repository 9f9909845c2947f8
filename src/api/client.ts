import { createBoundedCache } from '../process/bounded-cache.ts';
import { within } from '../process/time-limit.ts';
import { ServiceError, ServiceUnreachableError, type Answer, type Client } from './client-types.ts';
import { createHeldToken, type HeldTokenStore } from './held-token.ts';
import { operationUrl, readAnswer } from './operation-call.ts';
import {
  clientCacheMs,
  dataOperationIds,
  operations,
  type DataOperationId,
  type Operation,
} from './operations.ts';
import { createRequestBudget, type Caller, type RequestBudget } from './request-budget.ts';
import { exchange, type TransportOptions } from './transport.ts';

export interface ClientOptions {
  /** Address of the service, up to but without `/v1`. */
  baseUrl: string;
  applicationId: string;
  secret: string;
  /** Where the token may outlive the process; by default it does not. */
  tokenStore?: HeldTokenStore;
  /** Bound on one request; default 10 s. */
  timeoutMs?: number;
  /** For how long a call waits for the service's limits when no earlier answer is cached; default 35 s. */
  maxWaitMs?: number;
  fetch?: typeof fetch;
  /** The wall clock, in epoch milliseconds. Used only for the moments in answers, and the end of the token. */
  now?: () => number;
  /** A monotonic clock, in milliseconds, which measures all other ages and waits. Default `performance.now`. */
  monotonic?: () => number;
  /** For how long answers of single operations are cached, in place of the defaults. */
  keepMs?: Partial<Record<DataOperationId, number>>;
}

export interface SharedClientOptions extends ClientOptions {
  /** Requests that the service admits in any minute, until one of its answers names another number. */
  requestsPerMinute: number;
  /** Called after each request. @param error null: the service gave an answer */
  onRequest?: (error: ServiceUnreachableError | null) => void;
}

/** One client for many callers. Their requests share the limit fairly. */
export interface SharedClient {
  as(caller: Caller): Client;
  /** Answers so far are not used again. */
  expire(): void;
}

/** Older answers are not used, even when the service is unreachable. */
const keepStaleMs = 60 * 60_000;
const mostKept = 2_000;
/** A wait this short is no worse than a slow answer. */
const shortWaitMs = 1_000;
/** After this time a member gets an error that says when to try again. */
const memberPatienceMs = 2_500;

/**
 * A client of the service. It registers by itself, and again before the token expires or after a 401. Equal calls at the
 * same time share one request, and answers are cached for seconds. When the limit is spent or the service is unreachable,
 * it returns the last answer, marked `stale`.
 */
export function createClient(options: ClientOptions): Client {
  return connect(options, null).as('duties');
}

/** A client of the service for a bot. Posts and alerts come before members' commands, and members share what is left fairly. */
export function createSharedClient(options: SharedClientOptions): SharedClient {
  const { requestsPerMinute, monotonic = () => performance.now() } = options;
  return connect(options, createRequestBudget(requestsPerMinute, monotonic));
}

interface Kept {
  data: unknown;
  /** By the monotonic clock. */
  at: number;
}

/** One request that equal callers share. */
interface Running {
  answer: Promise<Kept>;
  callers: Set<Caller>;
  /** Calls that still wait for it. */
  waiting: number;
  /** Resolves once it is sent, or will not be. */
  sent: Promise<void>;
}

/** `"token";q=120;w=60`, among other policies. */
const tokenPolicy = /"token";q=([0-9]{1,9});w=([0-9]{1,9})/;

function connect(
  options: ClientOptions & Pick<SharedClientOptions, 'onRequest'>,
  budget: RequestBudget | null,
): SharedClient {
  const { applicationId, secret, maxWaitMs = 35_000, tokenStore: store } = options;
  const { now = Date.now, monotonic = () => performance.now(), onRequest = () => undefined } = options;
  const baseUrl = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
  const keepMs: Readonly<Record<DataOperationId, number>> = { ...clientCacheMs(), ...options.keepMs };
  const transport: TransportOptions = {
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? 10_000,
    onHeaders(headers) {
      const [, quota, seconds] = tokenPolicy.exec(headers.get('ratelimit-policy') ?? '') ?? [];
      if (Number(quota) > 0 && Number(seconds) > 0) budget?.learn((Number(quota) * 60) / Number(seconds));
    },
  };
  const held = createHeldToken({ baseUrl, applicationId, secret, transport, store, now });
  const kept = createBoundedCache<Kept>(mostKept);
  const running = new Map<string, Running>();
  /** When each limit admits requests again (monotonic), by operation, or `token` and `register` for all of them. */
  const blockedUntil = new Map<string, number>();

  async function call(id: DataOperationId, input: object, caller: Caller): Promise<Answer<unknown>> {
    const url = operationUrl(baseUrl, operations[id], input);
    const last = kept.get(url.href);
    const age = last === undefined ? Infinity : monotonic() - last.at;
    if (last !== undefined && age < keepMs[id]) return answerOf(last, false);
    const fallback = age < keepStaleMs ? last : undefined;
    const mostMs = onlyMembers([caller]) ? memberPatienceMs : maxWaitMs;
    const patienceMs = fallback === undefined ? mostMs : shortWaitMs;
    const shared = join(url, caller) ?? begin(id, url, caller, patienceMs);
    try {
      if (budget !== null && (await within(shared.sent, patienceMs)) === 'late') {
        throw limited(budget.expectedWaitMs());
      }
      return answerOf(await shared.answer, false);
    } catch (error) {
      if (fallback !== undefined && servesLast(error)) return answerOf(fallback, true);
      throw error;
    } finally {
      shared.waiting -= 1;
    }
  }

  // The age is subtracted from the present wall clock, so it is right even if that clock was set meanwhile.
  const answerOf = ({ data, at }: Kept, stale: boolean): Answer<unknown> => ({
    data,
    receivedAt: now() - Math.round(monotonic() - at),
    stale,
  });

  function join(url: URL, caller: Caller): Running | undefined {
    const shared = running.get(url.href);
    if (shared === undefined) return undefined;
    shared.callers.add(caller);
    shared.waiting += 1;
    budget?.wake();
    return shared;
  }

  function begin(id: DataOperationId, url: URL, caller: Caller, patienceMs: number): Running {
    let markSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (markSent = resolve));
    const interest = { callers: new Set([caller]), waiting: 1 };
    // A post or alert still needs the answer when no call waits for it any more.
    const isWanted = (): boolean => interest.waiting > 0 || !onlyMembers(interest.callers);
    const turn = async (): Promise<boolean> => {
      const granted = budget === null || (await budget.turn(interest.callers, isWanted));
      markSent();
      return granted;
    };
    const answer = ask(id, url, patienceMs, turn)
      .then((fresh) => {
        if (running.get(url.href) === shared) kept.set(url.href, fresh);
        return fresh;
      })
      .finally(() => {
        markSent();
        if (running.get(url.href) === shared) running.delete(url.href);
      });
    // Calls that still wait for it see the failure.
    answer.catch(() => undefined);
    const shared: Running = Object.assign(interest, { answer, sent });
    running.set(url.href, shared);
    return shared;
  }

  /** Sends the request once `turn` grants it. Waits for the service's limits for at most `patienceMs` in all. */
  async function ask(
    id: DataOperationId,
    url: URL,
    patienceMs: number,
    turn: () => Promise<boolean>,
  ): Promise<Kept> {
    const giveUpAt = monotonic() + patienceMs;
    for (;;) {
      const wait = waitMs(id);
      if (wait > 0 && monotonic() + wait > giveUpAt) throw limited(wait);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (!(await turn())) throw limited(budget?.expectedWaitMs() ?? 0);
      try {
        const data = await request(id, url);
        onRequest(null);
        return { data, at: monotonic() };
      } catch (error) {
        onRequest(error instanceof ServiceUnreachableError ? error : null);
        if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error;
        const limit = error.operationId === 'register' ? 'register' : limitOf(id);
        blockedUntil.set(limit, monotonic() + (error.body.retryAfter ?? 1) * 1000);
      }
    }
  }

  function waitMs(id: DataOperationId): number {
    const ends = ['register', 'token', limitOf(id)].map((limit) => blockedUntil.get(limit) ?? -Infinity);
    return Math.max(0, Math.max(...ends) - monotonic());
  }

  async function request(id: DataOperationId, url: URL): Promise<unknown> {
    const operation: Operation = operations[id];
    const { method } = operation;
    for (let attempt = 1; ; attempt += 1) {
      const token = await held.get();
      const headers = { Authorization: `Bearer ${token}`, 'User-Agent': applicationId };
      try {
        return readAnswer(operation, await exchange(transport, { operationId: id, method, url, headers }));
      } catch (error) {
        if (!(error instanceof ServiceError && error.status === 401)) throw error;
        held.discard(token);
        if (attempt === 2) throw error;
      }
    }
  }

  return {
    as(caller) {
      const methods = dataOperationIds.map((id) => [id, (input: object = {}) => call(id, input, caller)]);
      return Object.fromEntries(methods) as Client;
    },
    expire() {
      kept.clear();
      // What was sent before is neither shared nor cached.
      running.clear();
    },
  };
}

function limitOf(id: DataOperationId): string {
  return (operations[id] as Operation).limits.length > 0 ? id : 'token';
}

function onlyMembers(callers: Iterable<Caller>): boolean {
  return [...callers].every((caller) => caller.startsWith('member:'));
}

/** Whether the last answer may stand in: the error says nothing about what was asked for. */
function servesLast(error: unknown): boolean {
  if (error instanceof ServiceUnreachableError) return true;
  const codes: readonly string[] = ['rate_limited', 'internal_error', 'service_unavailable'];
  return error instanceof ServiceError && codes.includes(error.code);
}

function limited(waitMs: number): ServiceError {
  const retryAfter = Math.ceil(waitMs / 1000);
  const message = `The service's limit is spent for another ${retryAfter} s.`;
  return new ServiceError(429, { error: 'rate_limited', message, requestId: '', retryAfter });
}
