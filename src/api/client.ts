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
  /** Keeps the token across restarts; left out: each process registers anew. */
  tokenStore?: HeldTokenStore;
  /** For how long one request may take; default 10 s. */
  timeoutMs?: number;
  /** For how long a call waits for the service's limits where it has no earlier answer to give; default 35 s. */
  maxWaitMs?: number;
  fetch?: typeof fetch;
  /** The wall clock, in epoch milliseconds. Used only for the moments in answers, and the end of the token. */
  now?: () => number;
  /** A monotonic clock, in milliseconds, which measures all other ages and waits. Default `performance.now`. */
  monotonic?: () => number;
  /** Milliseconds for which answers are cached, by operation, in place of the defaults. */
  keepMs?: Partial<Record<DataOperationId, number>>;
}

export interface SharedClientOptions extends ClientOptions {
  /** Requests that the service admits in any minute, until one of its answers names another number. */
  requestsPerMinute: number;
  /** Called after each request. @param error null: the service gave an answer */
  onRequest?: (error: ServiceUnreachableError | null) => void;
}

/** One client for many callers, among whom it shares the service's limit. */
export interface SharedClient {
  as(caller: Caller): Client;
  /** Forgets all answers. Those to requests in flight reach their callers, but are not cached. */
  expire(): void;
}

/** Older answers are not used, even when the service is unreachable. */
const mostStaleMs = 60 * 60_000;
const mostCached = 2_000;
/** A call waits so long for the limits before it uses an earlier answer: no longer than a slow answer takes. */
const shortWaitMs = 1_000;
/** A member waits so long without an earlier answer, and then gets an error that says when to try again. */
const memberWaitMs = 2_500;

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

interface CachedAnswer {
  data: unknown;
  /** When it was received, by the monotonic clock. */
  at: number;
}

/** One request, which all callers share that ask for the same while it runs. */
interface SharedRequest {
  answer: Promise<CachedAnswer>;
  callers: Set<Caller>;
  /** How many calls still wait for it. */
  waiting: number;
  /** Resolves when the budget lets it be sent; also when it ends without having been sent. */
  sent: Promise<void>;
}

/** The limit of this application in a `RateLimit-Policy` header, `"token";q=120;w=60` (seconds), among other policies. */
const tokenPolicy = /"token";q=([0-9]{1,9});w=([0-9]{1,9})/;

/** @param budget null: requests are sent at once, until the service refuses one for its limit */
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
      const perMinute = (Number(quota) * 60) / Number(seconds);
      if (perMinute > 0 && Number.isFinite(perMinute)) budget?.setRequestsPerMinute(perMinute);
    },
  };
  const heldToken = createHeldToken({ baseUrl, applicationId, secret, transport, store, now });
  const cache = createBoundedCache<CachedAnswer>(mostCached);
  const running = new Map<string, SharedRequest>();
  /** When each limit admits requests again (monotonic), by operation, or `token` and `register` for all of them. */
  const blockedUntil = new Map<string, number>();

  async function call(id: DataOperationId, input: object, caller: Caller): Promise<Answer<unknown>> {
    const url = operationUrl(baseUrl, operations[id], input);
    const last = cache.get(url.href);
    const age = last === undefined ? Infinity : monotonic() - last.at;
    if (last !== undefined && age < keepMs[id]) return answerOf(last, false);
    const fallback = age < mostStaleMs ? last : undefined;
    const waitWithoutFallbackMs = onlyMembers([caller]) ? memberWaitMs : maxWaitMs;
    const patienceMs = fallback === undefined ? waitWithoutFallbackMs : shortWaitMs;
    const shared = joinRunning(url, caller) ?? startShared(id, url, caller, patienceMs);
    try {
      if (budget !== null && (await within(shared.sent, patienceMs)) === 'late') {
        throw limitSpent(budget.expectedWaitMs());
      }
      return answerOf(await shared.answer, false);
    } catch (error) {
      if (fallback !== undefined && allowsFallback(error)) return answerOf(fallback, true);
      throw error;
    } finally {
      shared.waiting -= 1;
    }
  }

  // The age is subtracted from the present wall clock, so it is right even if that clock was set meanwhile.
  const answerOf = ({ data, at }: CachedAnswer, stale: boolean): Answer<unknown> => ({
    data,
    receivedAt: now() - Math.round(monotonic() - at),
    stale,
  });

  function joinRunning(url: URL, caller: Caller): SharedRequest | undefined {
    const shared = running.get(url.href);
    if (shared === undefined) return undefined;
    shared.callers.add(caller);
    shared.waiting += 1;
    budget?.wake();
    return shared;
  }

  function startShared(id: DataOperationId, url: URL, caller: Caller, patienceMs: number): SharedRequest {
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
    const answer = askWithinLimits(id, url, patienceMs, turn)
      .then((fresh) => {
        // `expire` removes what runs, so that its answer is not cached.
        if (running.get(url.href) === shared) cache.set(url.href, fresh);
        return fresh;
      })
      .finally(() => {
        markSent();
        if (running.get(url.href) === shared) running.delete(url.href);
      });
    // A failure reaches the calls that still wait. Without any, it must not be an unhandled rejection.
    answer.catch(() => undefined);
    const shared: SharedRequest = Object.assign(interest, { answer, sent });
    running.set(url.href, shared);
    return shared;
  }

  /** Sends the request once `turn` grants it. Waits for the service's limits for at most `patienceMs` in all. */
  async function askWithinLimits(
    id: DataOperationId,
    url: URL,
    patienceMs: number,
    turn: () => Promise<boolean>,
  ): Promise<CachedAnswer> {
    const giveUpAt = monotonic() + patienceMs;
    for (;;) {
      const wait = waitMs(id);
      if (wait > 0 && monotonic() + wait > giveUpAt) throw limitSpent(wait);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (!(await turn())) throw limitSpent(budget?.expectedWaitMs() ?? 0);
      try {
        const data = await requestWithToken(id, url);
        onRequest(null);
        return { data, at: monotonic() };
      } catch (error) {
        onRequest(error instanceof ServiceUnreachableError ? error : null);
        if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error;
        const limit = error.operationId === 'register' ? 'register' : limitNameOf(id);
        blockedUntil.set(limit, monotonic() + (error.body.retryAfter ?? 1) * 1000);
      }
    }
  }

  /** How long no request of this operation may be sent, by what the service has refused. */
  function waitMs(id: DataOperationId): number {
    const ends = ['register', 'token', limitNameOf(id)].map((limit) => blockedUntil.get(limit) ?? -Infinity);
    return Math.max(0, Math.max(...ends) - monotonic());
  }

  /** Sends the request; once more with a new token if the service refuses the present one. */
  async function requestWithToken(id: DataOperationId, url: URL): Promise<unknown> {
    const operation: Operation = operations[id];
    const { method } = operation;
    for (let attempt = 1; ; attempt += 1) {
      const token = await heldToken.get();
      const headers = { Authorization: `Bearer ${token}`, 'User-Agent': applicationId };
      try {
        return readAnswer(operation, await exchange(transport, { operationId: id, method, url, headers }));
      } catch (error) {
        if (!(error instanceof ServiceError && error.status === 401)) throw error;
        heldToken.discard(token);
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
      cache.clear();
      running.clear();
    },
  };
}

/** The name of the limit to which a refusal is put down: the operation's own, if it has one. */
function limitNameOf(id: DataOperationId): string {
  return (operations[id] as Operation).limits.length > 0 ? id : 'token';
}

function onlyMembers(callers: Iterable<Caller>): boolean {
  return [...callers].every((caller) => caller.startsWith('member:'));
}

/** Whether an earlier answer may be given instead: not when the error is about what was asked for, such as `not_found`. */
function allowsFallback(error: unknown): boolean {
  if (error instanceof ServiceUnreachableError) return true;
  const codes: readonly string[] = ['rate_limited', 'internal_error', 'service_unavailable'];
  return error instanceof ServiceError && codes.includes(error.code);
}

function limitSpent(waitMs: number): ServiceError {
  const retryAfter = Math.ceil(waitMs / 1000);
  const message = `The service's limit is spent for another ${retryAfter} s.`;
  return new ServiceError(429, { error: 'rate_limited', message, requestId: '', retryAfter });
}
