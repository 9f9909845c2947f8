import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { DataOperationId, LimitPolicy, Operation } from '../../api/operations.ts';
import { elapsedMs, type Observer } from './access-log.ts';
import { mayUse, tokenPolicies, type AccessParts } from './access.ts';
import type { Answers } from './answers.ts';
import type { ClientAddress } from './client-address.ts';
import { wantedCodings } from './content-coding.ts';
import { noneMatchNames } from './entity-tag.ts';
import { canSendPrepared, headerLines, sendPrepared } from './prepared-answer.ts';
import type { Variant } from './representation.ts';
import { requestIdOf } from './request-id.ts';
import { namesOneHost } from './server.ts';

/** What a path and query mean, found out once. */
export interface KnownTarget {
  id: DataOperationId;
  operation: Operation;
  /** Operation and parameters in one form, however the request wrote them. */
  key: string;
}

/**
 * Answers what was answered before without a router, a schema, a query or a promise. It only ever says 200 or 304: at
 * the first doubt, before anything is spent, it leaves the request to the app, which does the same the long way.
 */
export interface HotLane {
  /** Remembers what a target as sent (path and query) turned out to mean. */
  learn(target: string, meaning: KnownTarget): void;
  /** Whether it has answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface HotLaneParts extends AccessParts {
  answers: Answers;
  version: () => number;
  observe: Observer;
  addressOf: ClientAddress;
  /** Pages in browsers are answered by the app, which knows the origins. */
  knowsOrigins: boolean;
  /** For how long a connection is kept between two requests, which callers are told. */
  keepAliveTimeoutMs: number;
  now: () => number;
}

/** A request as it was sent, and what it gets as long as the data are in this state. */
interface Recognised {
  version: number;
  /** From here on (epoch ms) the answer is true. */
  validFrom: number;
  /** From here on (epoch ms) the answer may be another, or the token is void. */
  validUntil: number;
  url: string;
  rawHeaders: readonly string[];

  operation: DataOperationId;
  application: string;
  address: string;
  /** Under which its requests are counted. */
  tokenKey: string;
  policies: readonly LimitPolicy[];
  /** The caller's own. */
  requestId: string | string[] | undefined;
  variant: Variant;
  unchanged: boolean;
}

const mostTargets = 10_000;
const longestTarget = 300;
const bearer = 'Bearer ';

export function createHotLane(parts: HotLaneParts): HotLane {
  const {
    applications,
    tokens,
    limiter,
    answers,
    version,
    observe,
    addressOf,
    knowsOrigins,
    keepAliveTimeoutMs,
    onUse,
    now,
  } = parts;
  const isSupported = canSendPrepared();
  const targets = new LRUCache<string, KnownTarget>({ max: mostTargets });
  const keepAlive = headerLines(['Keep-Alive', `timeout=${Math.floor(keepAliveTimeoutMs / 1000)}`]);
  const versionInTurn = onceInTurn(version);
  // A caller sends the same request over a connection again and again.
  const former = new WeakMap<Socket, Recognised>();

  const recognise = (request: IncomingMessage, state: number, at: number): Recognised | null => {
    const { headers, rawHeaders } = request;
    const url = request.url as string;
    const target = targets.get(url);
    if (target === undefined) return null;
    const { authorization } = headers;
    if (authorization === undefined || !authorization.startsWith(bearer)) return null;
    if (headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined) return null;
    if (knowsOrigins && headers.origin !== undefined) return null;
    if (!namesOneHost(request)) return null;
    const token = tokens.peek(authorization.slice(bearer.length));
    if (token === null) return null;
    const application = applications.peek(token.grant.applicationId, state);
    if (application === undefined || application.generation !== token.grant.generation) return null;
    if (headers['user-agent'] !== application.id || !mayUse(application, target.operation)) return null;
    const answer = answers.peek(`${application.project.id} ${target.key}`, state, at);
    const variant = answer?.representation.ready(wantedCodings(headers['accept-encoding']));
    if (answer === undefined || variant === undefined) return null;
    return {
      version: state,
      validFrom: answer.validFrom,
      validUntil: Math.min(answer.validUntil, token.grant.expiresAt),
      url,
      rawHeaders,
      operation: target.id,
      application: application.id,
      address: addressOf(request),
      tokenKey: token.key,
      policies: tokenPolicies(application),
      requestId: headers['x-request-id'],
      variant,
      unchanged: noneMatchNames(headers['if-none-match'], variant.etag),
    };
  };

  return {
    learn(target, meaning) {
      if (target.length <= longestTarget) targets.set(target, meaning);
    },

    handle(request, response) {
      if (!isSupported) return false;
      const startedAt = performance.now();
      const { method, socket } = request;
      if ((method !== 'GET' && method !== 'HEAD') || !response.shouldKeepAlive) return false;
      const state = versionInTurn();
      const at = now();
      let hot = former.get(socket) ?? null;
      const holds = hot !== null && hot.version === state && at >= hot.validFrom && at < hot.validUntil;
      if (hot === null || !holds || !isSame(request, hot)) {
        hot = recognise(request, state, at);
        if (hot === null) return false;
        former.set(socket, hot);
      }
      const { variant, unchanged, application } = hot;
      const allowance = limiter.take(hot.tokenKey, hot.policies);
      if (!allowance.admitted) return false;

      onUse(application);
      const requestId = requestIdOf(hot.requestId);
      const own = `X-Request-Id: ${requestId}\r\n${headerLines(allowance.headers)}${keepAlive}`;
      if (unchanged) sendPrepared(response, 'HTTP/1.1 304 Not Modified', variant.notModifiedLines + own, '');
      else if (method === 'HEAD') sendPrepared(response, 'HTTP/1.1 200 OK', variant.headerLines + own, '');
      else sendPrepared(response, 'HTTP/1.1 200 OK', variant.headerLines + own, variant.text ?? variant.body);
      observe({
        requestId,
        operation: hot.operation,
        application,
        address: hot.address,
        method,
        status: unchanged ? 304 : 200,
        ms: elapsedMs(startedAt),
      });
      return true;
    },
  };
}

/** Whether a request is the same as another, but for its method. */
function isSame({ url, rawHeaders }: IncomingMessage, other: Recognised): boolean {
  if (url !== other.url || rawHeaders.length !== other.rawHeaders.length) return false;
  for (let index = 0; index < rawHeaders.length; index += 1) {
    if (rawHeaders[index] !== other.rawHeaders[index]) return false;
  }
  return true;
}

/**
 * Reads once for all requests of one turn of the event loop. What a request of this turn could not have been sent after
 * (a commit that came since) need not be seen by it; the next turn's requests see it.
 */
function onceInTurn(read: () => number): () => number {
  let value: number | null = null;
  const forget = (): void => void (value = null);
  return () => {
    if (value === null) {
      value = read();
      setImmediate(forget);
    }
    return value;
  };
}
