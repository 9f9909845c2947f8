import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { DataOperationId, Operation } from '../../api/operations.ts';
import { elapsedMs, type Observer } from './access-log.ts';
import { mayUse, tokenPolicies, type AccessParts } from './access.ts';
import type { Answers } from './answers.ts';
import type { ClientAddress } from './client-address.ts';
import { wantedCodings } from './content-coding.ts';
import { noneMatchNames } from './entity-tag.ts';
import { requestIdOf } from './request-id.ts';

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
  now: () => number;
}

const mostTargets = 10_000;
const longestTarget = 300;
const bearer = 'Bearer ';

export function createHotLane(parts: HotLaneParts): HotLane {
  const { applications, tokens, limiter, answers, version, observe, addressOf, knowsOrigins, onUse, now } =
    parts;
  const targets = new LRUCache<string, KnownTarget>({ max: mostTargets });
  const versionInTurn = onceInTurn(version);

  return {
    learn(target, meaning) {
      if (target.length <= longestTarget) targets.set(target, meaning);
    },

    handle(request, response) {
      const startedAt = performance.now();
      const { method, headers } = request;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const target = targets.get(request.url as string);
      if (target === undefined) return false;
      const { authorization } = headers;
      if (authorization === undefined || !authorization.startsWith(bearer)) return false;
      if (headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined) return false;
      if (knowsOrigins && headers.origin !== undefined) return false;
      const token = authorization.slice(bearer.length);
      const found = tokens.peek(token);
      if (found === null) return false;
      const state = versionInTurn();
      const application = applications.peek(found.grant.applicationId, state);
      if (application === undefined || application.generation !== found.grant.generation) return false;
      if (headers['user-agent'] !== application.id || !mayUse(application, target.operation)) return false;
      const answer = answers.peek(`${application.project.id} ${target.key}`, state, now());
      const variant = answer?.ready(wantedCodings(headers['accept-encoding']));
      if (variant === undefined) return false;
      const allowance = limiter.take(found.key, tokenPolicies(application));
      if (!allowance.admitted) return false;

      onUse(application.id);
      const requestId = requestIdOf(headers['x-request-id']);
      const unchanged = noneMatchNames(headers['if-none-match'], variant.etag);
      const status = unchanged ? 304 : 200;
      const own = ['X-Request-Id', requestId, ...allowance.headers];
      if (unchanged) {
        response.writeHead(304, [...variant.notModifiedHeaders, ...own]);
        response.end();
      } else {
        response.writeHead(200, [...variant.headers, ...own]);
        // Every byte as one character: Node then sends head and body in one write.
        if (variant.text === null) response.end(variant.body);
        else response.end(variant.text, 'latin1');
      }
      observe({
        requestId,
        operation: target.id,
        application: application.id,
        address: addressOf(request),
        method,
        status,
        ms: elapsedMs(startedAt),
      });
      return true;
    },
  };
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
